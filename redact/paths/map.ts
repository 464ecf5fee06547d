import type { SessionRecord } from '#session/record.ts';
import { isJsonContainer, mapLiterals } from '../json/literals.ts';
import { pathDecoder } from './decode.ts';
import { pathEncoder } from './encode.ts';
import { needsEscapes } from './forms.ts';
import { decodeRecordPaths } from './record.ts';

export interface PathMapOptions {
  /** the home folder; more than one where it has other names (symlinks). "" for none */
  home: string | readonly string[];
  /** project roots, e.g. {token: 'PROJECT', path}; the first path is the one to restore, others are names for the same folder */
  roots: readonly { token: string; path: string | readonly string[] }[];
}

/**
 * Makes the paths of one machine portable and back. For one map `decode(encode(text)) === text`, for any text; on another
 * machine decode gives that machine's paths in the same spelling. A literal `${HOME}` in a text gets one more `$`.
 */
export interface PathMap {
  encode(text: string): string;
  decode(text: string): string;
  /** Decodes a record in place: the canonical part, and `native` with the pointers in it. */
  decodeRecord(record: SessionRecord): SessionRecord;
}

/** A folder with its token and all its names. */
export interface Root {
  token: string;
  paths: readonly string[];
}

const list = (one: string | readonly string[]): string[] => (typeof one === 'string' ? [one] : [...one]).filter(Boolean).map(trimmed);
const trimmed = (path: string): string => (path.length > 1 ? path.replace(/[/\\]+$/, '') || '/' : path);

/** Tokens are capital letters; HOME and PROJECT are always reserved, so that a text that holds them comes back as it was. */
const ALWAYS = ['HOME', 'PROJECT'];

export function pathMap({ home, roots }: PathMapOptions): PathMap {
  const all: Root[] = [...roots.map((root) => ({ token: root.token, paths: list(root.path) })), { token: 'HOME', paths: list(home) }];
  const names = [...new Set([...ALWAYS, ...all.map((root) => root.token)])];
  const encoder = pathEncoder(all, names);
  const decoder = pathDecoder(all, names);
  const risky = all.some((root) => root.paths.some(needsEscapes));

  const deep = (text: string): string =>
    isJsonContainer(text) ? mapLiterals(text, { string: deep, key: deep, scalar: () => undefined }) : encoder.encode(text);
  const decode = (text: string): string => (text.includes('${') ? (risky ? decoder.decodeDeep(text) : decoder.decode(text)) : text);
  const encode = (text: string): string => {
    const made = encoder.encode(text);
    if (!risky || made === text) return made;
    // A path with quotes or backslashes is written differently at each depth of JSON in JSON.
    const careful = deep(text);
    return decode(careful) === text ? careful : encoder.escapeOnly(text);
  };
  return { encode, decode, decodeRecord: (record) => decodeRecordPaths(record, decode) };
}
