import { cookieHeader, cookiePairs } from './cookies.ts';
import { escapeWords } from './encoded.ts';
import { isSecret } from './judge.ts';
import { type Check, type Found, gate, readTo, setReadTo, type Word } from './layer.ts';
import { isSecretName, NAME_PARTS, namedValue } from './named.ts';
import { pemBlock, pemTail } from './pem.ts';
import { PLACEHOLDER, PLACEHOLDER_START } from './placeholder.ts';
import { rules } from './rules/index.ts';
import { gatedRules } from './secretlint.ts';
import { shape } from './shape.ts';

const named: Check = (text, at, length, found) => {
  const hit = namedValue(text, at, length);
  if (hit) found.hits.push(hit);
};
const keyBlock: Check = (text, at, _length, found) => {
  if (at < readTo(found, keyBlock)) return;
  const hit = pemBlock(text, at);
  setReadTo(found, keyBlock, hit ? hit.end : at + 1);
  if (hit) found.hits.push(hit);
};
const keyTail: Check = (text, at, _length, found) => {
  const from = readTo(found, keyBlock);
  if (at < from) return;
  const hit = pemTail(text, at, from);
  setReadTo(found, keyBlock, at + 1);
  if (hit) found.hits.push(hit);
};
const cookies: Check = (text, at, _length, found) => {
  if (at < readTo(found, cookies)) return;
  const { hits, end } = cookieHeader(text, at);
  setReadTo(found, cookies, end);
  for (const hit of hits) found.hits.push(hit);
};
const mask: Check = (text, at, _length, found) => {
  PLACEHOLDER.lastIndex = at;
  const match = PLACEHOLDER.exec(text);
  if (match) found.masks.push({ start: at, end: at + match[0].length });
};

/** What is always looked for: the words, and the check that each starts. */
export function builtInWords(): Word[] {
  const words: Word[] = [];
  for (const rule of rules) {
    const check = shape(rule);
    for (const text of rule.anchors) words.push({ text, payload: check });
  }
  for (const rule of gatedRules()) for (const text of rule.anchors) words.push({ text, payload: gate(rule) });
  for (const text of NAME_PARTS) words.push({ text, payload: named });
  words.push(...escapeWords);
  words.push({ text: '-----begin ', payload: keyBlock }, { text: '-----end ', payload: keyTail });
  words.push({ text: 'cookie', payload: cookies }, { text: PLACEHOLDER_START, payload: mask });
  return words;
}

const WHOLE = { quoted: true, env: false, flag: false };

const COOKIE = /^(?:set-)?cookie$/i;
const isCookie = (name: string): boolean => name.length <= 10 && COOKIE.test(name);
/** Does a name make a secret of what stands under it? */
export const tellsSecret = (name: string): boolean => isSecretName(name) || isCookie(name);

/** The whole text as the value of such a name. */
export function underName(text: string, name: string, found: Found): void {
  if (isCookie(name)) for (const hit of cookiePairs(text, 0).hits) found.hits.push(hit);
  else if (isSecret(text, name, WHOLE)) found.hits.push({ start: 0, end: text.length, kind: 'pw', rank: 0 });
}
