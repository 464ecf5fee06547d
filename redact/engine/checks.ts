import { contextWords } from '../context/context.ts';
import { SCRIPT_STARTS } from '../context/names.ts';
import { dressWords, INLINE_UNITS } from '../inner/dressed.ts';
import { escapeWords } from '../inner/encoded.ts';
import { PLACEHOLDER, PLACEHOLDER_START } from '../placeholder.ts';
import { rules } from '../rules/index.ts';
import { cookieWords } from '../shapes/cookies.ts';
import { keyWords } from '../shapes/pem.ts';
import { gatedRules } from '../shapes/secretlint.ts';
import { shape } from '../shapes/shape.ts';
import { type Check, gate, type Word } from './layer.ts';

const mask: Check = (text, at, _length, found) => {
  PLACEHOLDER.lastIndex = at;
  const match = PLACEHOLDER.exec(text);
  if (match) found.masks.push({ start: at, end: at + match[0].length });
};

/** Characters that the automaton takes for one another, since each would make it larger: the checks look again. */
export const ALIKE: readonly string[] = [SCRIPT_STARTS + INLINE_UNITS, '\n\r'];

/** What is always looked for: the words, and the check that each starts. */
export function builtInWords(): Word[] {
  const words: Word[] = [...contextWords, ...keyWords, ...cookieWords, ...escapeWords, ...dressWords, { text: PLACEHOLDER_START, payload: mask }];
  for (const rule of rules) {
    const check = shape(rule);
    for (const text of rule.anchors) words.push({ text, payload: check });
  }
  for (const rule of gatedRules()) for (const text of rule.anchors) words.push({ text, payload: gate(rule) });
  return words;
}
