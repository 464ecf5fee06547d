import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Layer, Word } from '../engine/layer.ts';
import type { Hit } from '../engine/ranges.ts';

/** Classes of personal data (setting redact.pii). */
export type Personal = 'email' | 'ipv4' | 'ipv6' | 'phone' | 'host' | 'user';

/** What the classes `host` and `user` look for by value. */
export interface Own {
  /** name of this machine */
  host: string;
  /** the user's login name, names and addresses, as the system and Git know them */
  users: readonly string[];
}

const KINDS = new Set(['email', 'ip', 'tel', 'host', 'user']);
/** Is this the kind of something that one of these classes found? */
export const isPersonal = (kind: string): boolean => KINDS.has(kind);

/** Finds one class in a text; in time that is proportional to its length. */
type Finder = (text: string, push: (start: number, end: number) => void) => void;

const everyMatch =
  (pattern: RegExp, isOne: (value: string, text: string, at: number) => boolean): Finder =>
  (text, push) => {
    for (const match of text.matchAll(pattern)) if (isOne(match[0], text, match.index)) push(match.index, match.index + match[0].length);
  };

/** It begins with no symbol: that is the plus of a diff, or a bullet. */
const EMAIL_BEFORE = /[\p{L}\p{N}_][\p{L}\p{N}._%+-]{0,63}$/u;
const EMAIL_AFTER = /@((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z]{2,24})(?![\w-])/iy;
/** Addresses of nobody: reserved names, and what Git writes in SSH URLs. */
const NOBODY = /(?:^|\.)(?:example|invalid|test|localhost)(?:\.(?:com|org|net))?$/i;
/** `icon@2x.png` is a file. */
const SCALED = /^\d(?:\.\d)?x\./;

const email: Finder = (text, push) => {
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    EMAIL_AFTER.lastIndex = at;
    const after = EMAIL_AFTER.exec(text);
    const domain = after?.[1] ?? '';
    if (!after || NOBODY.test(domain) || SCALED.test(domain)) continue;
    const before = EMAIL_BEFORE.exec(text.slice(Math.max(0, at - 64), at))?.[0] ?? '';
    const end = at + after[0].length;
    if (before && !(/^git$/i.test(before) && text.charAt(end) === ':')) push(at - before.length, end);
  }
};

const octets = (value: string): number[] => value.split('.').map(Number);
/** Addresses that every machine has, that stand in documentation, or that are masks. */
const NOT_ONES_OWN = /^(?:0\.|127\.|255\.|192\.0\.2\.|198\.51\.100\.|203\.0\.113\.|\d+\.0\.0\.0$)/;
const VERSION_BEFORE = /(?:\bv|version[ :="']{0,4}|[@^~]|[<>]=?[ ]?)$/i;

const ipv4 = everyMatch(
  /(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)/g,
  (value, text, at) => octets(value).every((one) => one < 256) && !NOT_ONES_OWN.test(value) && !VERSION_BEFORE.test(text.slice(Math.max(0, at - 14), at)),
);

/** Names of programs hold `::` too: an address has a digit, is longer, and is none that every machine has. */
const ipv6 = everyMatch(
  /(?<![\w:.])[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}(?![\w:])/gi,
  (value) => value.length >= 8 && /\d/.test(value) && isIPv6(value) && !/^(?:fe80|2001:db8|64:ff9b)::?$/i.test(value) && !/^2001:0?db8:/i.test(value),
);

/** International; as written in North America; mobile numbers of mainland China. */
const PHONE =
  /(?<![\w+.-])(?:\+[1-9]\d{0,2}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){1,4}|\(\d{3}\) ?\d{3}[-. ]\d{4}|[2-9]\d{2}-\d{3}-\d{4}|1[3-9]\d{9})(?![\w.-]*\w)/g;
const phone = everyMatch(PHONE, (value, text, at) => {
  const digits = value.replace(/\D/g, '').length;
  // A line that a diff adds begins with a plus, too.
  return digits >= 9 && digits <= 15 && !(value.startsWith('+') && /^\+\d+$/.test(value) && (at === 0 || text.charAt(at - 1) === '\n') && digits < 11);
});

const INTERNAL = /(?<![\w.@-])(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}(?:internal|intranet|intra|corp|local|lan|home\.arpa)(?![\w-]|\.\w)/gi;
/** Files and objects of programs are written with a dot, too. */
const PROGRAM =
  /(?:^|\.)(?:settings|env|config|this|self|com|org|java|gitconfig|module|node|process)\.(?:local|internal)$|^host\.docker\.internal$|\.svc\.cluster\.local$/i;
const host = everyMatch(INTERNAL, (value) => !PROGRAM.test(value));

/** Login names that many machines have. */
const COMMON =
  /^(?:root|user|admin|administrator|ubuntu|debian|ec2-user|git|node|dev|developer|test|guest|runner|vscode|codespace|jenkins|localhost|unknown|main|home)$/i;
const SHORTEST = 3;

/** A value where it stands by itself, not as a part of a word or of a path of dashes. */
function ownValue({ value, kind }: { value: string; kind: string }): Word {
  const wanted = value.toLowerCase();
  return {
    // Only the case of ASCII is folded in words.
    text: /^[ -~]{2,}/.exec(wanted)?.[0] ?? value.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
    payload: (text, at, _length, found) => {
      const end = at + value.length;
      if (text.slice(at, end).toLowerCase() !== wanted || isPart(text.charAt(at - 1)) || isPart(text.charAt(end))) return;
      found.hits.push({ start: at, end, kind, rank: 0 });
    },
  };
}

const isPart = (char: string): boolean => /[\p{L}\p{N}_-]/u.test(char);
const worthFinding = (value: string): boolean => value.length >= SHORTEST && !COMMON.test(value);

const FINDERS: Partial<Record<Personal, { kind: string; find: Finder }>> = {
  email: { kind: 'email', find: email },
  ipv4: { kind: 'ip', find: ipv4 },
  ipv6: { kind: 'ip', find: ipv6 },
  phone: { kind: 'tel', find: phone },
  host: { kind: 'host', find: host },
};

/** The kinds that these classes find. */
export const personalKinds = (classes: readonly Personal[]): string[] => [...new Set(classes.map((one) => FINDERS[one]?.kind ?? one))];

/** The layer for these classes of personal data. */
export function personalLayer(classes: readonly Personal[], { host: machine, users }: Own): Layer {
  const wanted = new Set(classes);
  const own = [
    ...(wanted.has('host') ? [machine].filter(worthFinding).map((value) => ownValue({ value, kind: 'host' })) : []),
    ...(wanted.has('user') ? users.filter(worthFinding).map((value) => ownValue({ value, kind: 'user' })) : []),
  ];
  const finders = [...wanted].flatMap((one) => (FINDERS[one] ? [FINDERS[one]] : []));
  return {
    id: `pii ${createHash('sha256')
      .update(JSON.stringify([[...wanted].sort(), machine, users]))
      .digest('hex')
      .slice(0, 12)}`,
    words: own,
    whole(text, found) {
      for (const { kind, find } of finders) find(text, (start, end) => found.hits.push({ start, end, kind, rank: 0 } satisfies Hit));
    },
  };
}
