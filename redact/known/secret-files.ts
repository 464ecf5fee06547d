import { isObject, type Json, parseJson } from '#lib/json.ts';
import { mapValue } from '../json/walk.ts';
import { type Pair, settingsPairs } from './settings-lines.ts';

/** A file that may hold secrets: .env and its kin, .npmrc, .netrc, the credentials of a client. Its text is kept in memory only. */
export interface SecretFile {
  /** base name; tells how the file is read */
  name: string;
  text: string;
  /** true: its owner says that all its values are secrets, whatever they are called */
  all?: boolean;
}

/** A template says which secrets there are, not what they are. */
const TEMPLATE = /(?:example|sample|template|dist|defaults?)$/i;

/** What a file gives as names and values. A value without a name has the name "". */
export function pairsOf({ name, text }: SecretFile): Pair[] {
  if (TEMPLATE.test(name)) return [];
  if (/^[._]netrc$/.test(name)) return [...text.matchAll(/\b(password|account)[ \t\r\n]{1,80}(?:"([^"\n]{1,4000})"|(\S{1,4000}))/g)].map(netrcPair);
  if (name === '.pgpass') return text.split('\n').map(pgpassPair);
  const json = parseJson(text);
  if (isObject(json) || Array.isArray(json)) return jsonPairs(json);
  const pairs = settingsPairs(text);
  return pairs.length ? pairs : [['', text.trim()]];
}

const netrcPair = ([, name = '', quoted, bare = '']: RegExpMatchArray): Pair => [name, quoted ?? bare];

/** host:port:database:user:password, with `\:` for a colon. */
const pgpassPair = (line: string): Pair => [
  'password',
  (line.startsWith('#') ? '' : (/^(?:(?:\\.|[^:\\]){0,400}:){4}(.{1,4000})$/.exec(line)?.[1] ?? '')).replace(/\\(.)/g, '$1'),
];

function jsonPairs(value: Json): Pair[] {
  const out: Pair[] = [];
  mapValue(value, {
    string(text, name) {
      out.push([name, text]);
      return text;
    },
    key: (key) => key,
    scalar: () => undefined,
  });
  return out;
}
