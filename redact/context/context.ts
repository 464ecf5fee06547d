import { type Check, type Found, readTo, setReadTo, tell, tellAround, type Word } from '../engine/layer.ts';
import { type Below, columns, inserted, isCellEnd, KIND_NEAR, secretData } from './columns.ts';
import { isCommonWord, isStandIn } from './judge.ts';
import { nameAround, namedValue } from './named.ts';
import { isSecretName, NAME_PARTS, SCRIPT_STARTS, scriptName } from './names.ts';
import { isFollowedByWords, saidAfter, saidBefore } from './prose.ts';

/** The name of a secret that is kept elsewhere. */
const ARN = /\barn:[\w:-]{1,80}$/;
const isElsewhere = (text: string, start: number): boolean =>
  start > 0 && text.charCodeAt(start - 1) === 58 && ARN.test(text.slice(Math.max(0, start - 90), start));

/** Signs, closing marks and further heads of a table: anything else between a name and the end of its line is code or prose. */
const REST = /(?: (?:is|are|was|ist|est|es))?(?:[\s:：=>|+\\"'`*_\]!&-]{0,16}|<\/\w{1,8}>|(?:[,;|│\t][\w "'.-]{0,24}){1,6}[|│]?\r?)\n/y;

const named: Check = (text, at, length, found) => {
  const name = nameAround(text, at, length);
  if (!isSecretName(name.text) || isElsewhere(text, name.start)) return;
  tell(text, name.end, REST, found);
  const after = isFollowedByWords(text, name.end) ? undefined : (namedValue(text, name) ?? saidAfter(text, name));
  if (after) found.hits.push(after);
  const before = saidBefore(text, name);
  if (before) found.hits.push(before);
  if (isCellEnd(text, name.end)) below(columns, text, at, found);
};

/** The same for names in other scripts. */
const scriptNamed: Check = (text, at, _length, found) => {
  const name = scriptName(text, at);
  if (name) named(text, at, name.length, found);
};

/** A login in front of an address that is no URL, as in the data source names of Go. */
const LOGIN = /[\w.-]{1,64}:([^\s"'`/]{4,128})$/;
const beforeAddress: Check = (text, at, _length, found) => {
  const from = Math.max(0, at - 200);
  const value = LOGIN.exec(text.slice(from, at))?.[1];
  if (value && !isStandIn(value) && !isCommonWord(value)) found.hits.push({ start: at - value.length, end: at, kind: 'db', rank: 1 });
};

/** Reads what stands below once, however often its head is met. */
function below(read: (text: string, at: number) => Below, text: string, at: number, found: Found): void {
  if (at < readTo(found, read)) return;
  const { hits, end } = read(text, at);
  setReadTo(found, read, end);
  found.hits.push(...hits);
}

/** The lines of a manifest may have numbers before them, and its data then begin no line. */
const manifest: Check = (_text, at, length, found) => {
  tellAround(Math.max(0, at - KIND_NEAR), at + length + KIND_NEAR, found);
};

const reads =
  (read: (text: string, at: number) => Below): Check =>
  (text, at, _length, found) =>
    below(read, text, at, found);

/** What starts a look for secrets that are told by what stands beside or above them. */
export const contextWords: readonly Word[] = [
  ...NAME_PARTS.map((text) => ({ text, payload: named })),
  { text: SCRIPT_STARTS.charAt(0), payload: scriptNamed },
  { text: '@tcp(', payload: beforeAddress },
  { text: '@unix(', payload: beforeAddress },
  { text: 'insert into ', payload: reads(inserted) },
  { text: '\ndata:', payload: reads(secretData) },
  { text: 'kind: secret', payload: manifest },
];
