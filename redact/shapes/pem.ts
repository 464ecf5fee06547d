import { type Check, readTo, setReadTo, tellAround, type Word } from '../engine/layer.ts';
import type { Hit } from '../engine/ranges.ts';

/** No key is longer; a search for the end goes no further. */
const WINDOW = 40_000;
/** Less than this is no line of a key. */
const LINE_MIN = 16;
/** A cut-off key must show at least this much. */
const TAIL_MIN = 60;

const BLANK = '(?: |%20|\\+)';
const LABEL = `(?:[A-Z0-9]{2,12}${BLANK}){0,3}PRIVATE${BLANK}KEY(?:${BLANK}BLOCK)?|OpenVPN${BLANK}Static${BLANK}key${BLANK}V1`;
const BEGIN = new RegExp(`(?:-----BEGIN${BLANK}|---- BEGIN )(?:${LABEL}) ?-{4,5}`, 'y');
const END = new RegExp(`(?:-----END${BLANK}|---- END )(?:${LABEL})`, 'y');
const PUTTY = /Private-Lines: \d{1,4}/iy;
const EDGE = /-----(?:END|BEGIN)[ %+]|---- (?:END|BEGIN) /;

/** A stretch of key material. */
const RUN = '(?:[A-Za-z0-9+/=]|%2[BbFf]|%3[Dd]){1,6000}';
/** What stands between the lines of a key: line feeds in any spelling, quotes and commas of a list, signs of quoting, marks of a table. */
const JOINT = `(?:\\\\{1,15}[nrt]|&#(?:1[03]|x[aAdD]);|%0[AaDd]|<br ?/?>|[\\s"'\`,>|│*#;.-]|\\+(?=["'\`\\s])){1,40}`;
const HEADER = '(?:Proc-Type|DEK-Info|Version|Comment|Subject|Hash|x-[\\w-]{1,20}):[^\\n\\\\]{0,100}';
const START = new RegExp(`(?:${JOINT})?(?:(?:${HEADER})(?:${JOINT})){0,4}`, 'y');
const NEXT = new RegExp(`(${JOINT})(${RUN})`, 'y');
const FIRST = new RegExp(RUN, 'y');
const WORD = /^[A-Z]?[a-z]+$/;

/** Mostly characters of base64, white space, escapes and line numbers; not the code between two constants. */
const isBody = (text: string): boolean => (text.match(/[^A-Za-z0-9+/=\s\\:,.%-]/g)?.length ?? 0) * 12 <= text.length && /[A-Za-z0-9+/]{16}/.test(text);

const hit = (start: number, end: number): Hit => ({ start, end, kind: 'pem', rank: 1 });

/** A private key block that begins at `at`: to its end, or, where it was cut off, as far as lines look like key material. */
export function pemBlock(text: string, at: number): Hit | undefined {
  BEGIN.lastIndex = at;
  const from = at + (BEGIN.exec(text)?.[0].length ?? 0);
  if (from === at) return undefined;
  const window = text.slice(from, from + WINDOW);
  const edge = EDGE.exec(window);
  const end = edge?.index ?? 0;
  if (edge?.[0].includes('END') && isBody(window.slice(0, end))) {
    const close = /-{4,5}/g;
    close.lastIndex = end + 5;
    return hit(at, from + (close.exec(window.slice(0, end + 100)) ? close.lastIndex : end + 5));
  }
  const to = bodyEnd(text, from);
  // The marker alone, as in the source of a program, is no key.
  return to === from ? undefined : hit(at, to);
}

/** The private part of a PuTTY key. */
function puttyBlock(text: string, at: number): Hit | undefined {
  PUTTY.lastIndex = at;
  const from = at + (PUTTY.exec(text)?.[0].length ?? 0);
  if (from === at) return undefined;
  const to = bodyEnd(text, from);
  return to === from ? undefined : hit(at, to);
}

/** How far lines look like key material. All but the last are equally long, so a shorter one is the last. */
function bodyEnd(text: string, from: number): number {
  START.lastIndex = from;
  const start = from + (START.exec(text)?.[0].length ?? 0);
  FIRST.lastIndex = start;
  const first = FIRST.exec(text)?.[0] ?? '';
  if (first.length < LINE_MIN) return from;
  let to = start + first.length;
  while (to - from < WINDOW) {
    NEXT.lastIndex = to;
    const next = NEXT.exec(text);
    const run = next?.[2] ?? '';
    const full = run.length >= first.length - 2;
    if (!next || (!full && WORD.test(run))) break;
    to += next[0].length;
    if (!full) break;
  }
  return to;
}

const RUNS = new RegExp(`\\\\{1,15}[nrt]|(${RUN})`, 'g');
const BETWEEN = new RegExp(`^${JOINT}$`);
const isMixed = (text: string): boolean => (/\d/.test(text) || text.length >= 8) && /[a-z]/.test(text) && /[A-Z]/.test(text);

/** The body before an END line at `at` whose BEGIN was cut off. The first line may be cut too. */
export function pemTail(text: string, at: number, notBefore: number): Hit | undefined {
  END.lastIndex = at;
  if (!END.test(text)) return undefined;
  const low = Math.max(notBefore, at - WINDOW);
  const window = text.slice(low, at);
  const runs = [...window.matchAll(RUNS)].filter((run) => run[1]);
  let start = window.length;
  let width = 0;
  for (let i = runs.length - 1, count = 0; i >= 0; i--, count++) {
    const run = runs[i] as RegExpExecArray;
    const gap = window.slice(run.index + run[0].length, start);
    if ((gap !== '' || count > 0) && !BETWEEN.test(gap)) break;
    const full = run[0].length >= Math.max(LINE_MIN, width - 2);
    if (count > 0 && !full && !isMixed(run[0])) break;
    start = run.index;
    width = Math.max(width, run[0].length);
    if (count > 0 && !full) break;
  }
  return window.length - start > TAIL_MIN && width >= 32 ? hit(low + start, at) : undefined;
}

const block =
  (read: (text: string, at: number) => Hit | undefined): Check =>
  (text, at, _length, found) => {
    tellAround(at, at + WINDOW, found);
    if (at < readTo(found, keyWords)) return;
    const key = read(text, at);
    setReadTo(found, keyWords, key ? key.end : at + 1);
    if (key) found.hits.push(key);
  };

const tail: Check = (text, at, _length, found) => {
  tellAround(Math.max(0, at - WINDOW), at + 80, found);
  const from = readTo(found, keyWords);
  if (at < from) return;
  const key = pemTail(text, at, from);
  setReadTo(found, keyWords, at + 1);
  if (key) found.hits.push(key);
};

/** What starts a look for a private key. */
export const keyWords: readonly Word[] = [
  { text: '-----begin', payload: block(pemBlock) },
  { text: '---- begin ', payload: block(pemBlock) },
  { text: 'private-lines:', payload: block(puttyBlock) },
  { text: '-----end', payload: tail },
  { text: '---- end ', payload: tail },
];
