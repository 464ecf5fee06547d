import { isObject, type Json, parseJson } from '#lib/json.ts';

export type Path = (string | number)[];

/** One labelled line of a corpus: what stands in it, and what must become of it. */
export interface LabelledLine {
  id: string;
  type: 'secret' | 'pii' | 'negative';
  /** what it is, e.g. github-pat */
  kind: string;
  /** 1: told by its own shape, 2: by what stands beside it, 3: weak; 0: no secret */
  tier: number;
  /** how it is presented, e.g. env-file */
  context: string;
  /** `value` must not be left; `core` is its sensitive part, without a public mark. `pem`: may be wrapped, numbered, escaped */
  secrets: { value: string; core: string; pem?: boolean }[];
  /** the JSON line that carries the text */
  line: string;
  /** where the text stands in it, and where else */
  path: Path;
  also?: Path[];
  /** the string at `path` is JSON itself */
  nested?: boolean;
  /** places whose values must not change */
  frozen: Path[];
}

/** So many characters of a secret in a row are a leak. */
const RUN = 8;
/** A longer secret is looked for in blocks, each of them unlikely to come about by chance. */
const [LONG, BLOCK] = [200, 12];

/** What is left of a text without what lays it out: line feeds (written out too), numbers of lines, marks of a diff, escapes. */
const withoutLayout = (text: string): string =>
  text
    .replace(/\\+[nrt]/g, '\n')
    .replace(/^[ \t]*\d+[\t ]|^[+-]/gm, '')
    .replace(/[\\\r\n]/g, '');

function isLeftIn(text: string, { value, core, pem }: LabelledLine['secrets'][number]): boolean {
  if (text.includes(value)) return true;
  const where = pem ? withoutLayout(text) : text;
  const secret = pem ? core.replace(/\s/g, '') : core;
  const [size, step] = secret.length > LONG ? [BLOCK, BLOCK] : [Math.min(RUN, secret.length), 1];
  for (let at = 0; at + size <= secret.length; at += step) if (where.includes(secret.slice(at, at + size))) return true;
  return false;
}

/** Is a secret, or a telling part of it, left in the redacted line? It is looked for in the decoded text, in JSON within JSON too. */
export function leaks(label: LabelledLine, redacted: string): boolean {
  const record = parseJson(redacted) ?? null;
  const texts = [label.path, ...(label.also ?? [])].flatMap((path) => stringsOf(at(record, path)));
  return texts.some((text) => label.secrets.some((secret) => isLeftIn(text, secret)));
}

function stringsOf(value: Json | undefined): string[] {
  if (typeof value === 'string') {
    const inner = /^\s*[[{]/.test(value) ? parseJson(value) : undefined;
    return typeof inner === 'object' && inner !== null ? [value, ...stringsOf(inner)] : [value];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...stringsOf(item)]);
}

/** Places that must not change and did. */
export function damaged(label: LabelledLine, redacted: string): Path[] {
  const [before, after] = [parseJson(label.line) ?? null, parseJson(redacted) ?? null];
  return label.frozen.filter((path) => JSON.stringify(at(before, path)) !== JSON.stringify(at(after, path)));
}

const at = (value: Json, path: Path): Json | undefined =>
  path.reduce<Json | undefined>((one, step) => (Array.isArray(one) ? one[Number(step)] : isObject(one) ? one[step] : undefined), value);
