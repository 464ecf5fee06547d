import { isStandIn } from './judge.ts';
import { isSecretName } from './named.ts';

/** A value that is known to be secret, or was learned to be one. Lives in memory only. */
export interface KnownValue {
  value: string;
  kind: string;
  /** found in this run, not given */
  learned?: boolean;
}

/** A file that may hold secrets: .env and its kin, .npmrc, .netrc. */
export interface SecretFile {
  /** base name */
  name: string;
  text: string;
}

const SHORTEST = 8;
const LONGEST = 4000;

/** Paths, words, plain numbers, addresses and references are no secrets even under a secret's name. */
function worthKnowing(value: string): boolean {
  if (value.length < SHORTEST || value.length > LONGEST || isStandIn(value)) return false;
  if (/^(?:[./~]|[A-Za-z]:\\|https?:\/\/[^@]*$)/.test(value)) return false;
  return !/^(?:[a-z]+|[A-Z]+|[A-Z]?[a-z]+(?:[ ._-][a-z]+)*|\d{1,11}|[\d.]+)$/.test(value);
}

const USERINFO = /:\/\/[^\s:@/]{0,256}:([^\s@/]{4,256})@/;

function ofPair(name: string, value: string, out: Map<string, KnownValue>): void {
  const add = (one: string) => {
    if (!out.has(one)) out.set(one, { value: one, kind: 'known' });
  };
  const password = USERINFO.exec(value)?.[1];
  if (password && worthKnowing(password)) add(password);
  else if (isSecretName(name) && worthKnowing(value)) add(value);
}

const PAIR = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\r\n#]*?))[ \t]*(?:#.*)?$/gm;
const NPMRC = /_(?:authToken|auth|password)[ \t]*=[ \t]*"?([^\s"]+)/g;
const NETRC = /\bpassword[ \t\r\n]+(\S+)/g;

/** A template says which secrets there are, not what they are. */
const TEMPLATE = /(?:example|sample|template|dist|defaults?)$/i;

function ofFile({ name, text }: SecretFile, out: Map<string, KnownValue>): void {
  if (TEMPLATE.test(name)) return;
  if (name === '.npmrc' || name === '.netrc') {
    for (const [, value = ''] of text.matchAll(name === '.npmrc' ? NPMRC : NETRC)) if (worthKnowing(value)) out.set(value, { value, kind: 'known' });
    return;
  }
  for (const [, key = '', double, single, bare] of text.matchAll(PAIR)) ofPair(key, double ?? single ?? bare ?? '', out);
}

/**
 * Values that must never leave: of environment variables and files, selected by their names, never printed and never stored.
 * Shorter than 8 characters, words, paths and the like are left to the rules.
 */
export function knownValues(env: Record<string, string | undefined>, files: readonly SecretFile[]): KnownValue[] {
  const out = new Map<string, KnownValue>();
  for (const [name, value] of Object.entries(env)) if (value) ofPair(name, value, out);
  for (const file of files) ofFile(file, out);
  return [...out.values()];
}
