import type { Evidence, Statement } from '#context/evidence/evidence.ts';
import type { Words } from '../words/index.ts';
import { cite } from './cite.ts';
import { ownWords } from './own-words.ts';
import type { Point } from './value.ts';

/** What the user asked for, in the user's own words: the first request as it is, then every later one that says more than "go on". */
export function requests(evidence: Evidence, words: Words): Point[] {
  const said = evidence.statements.filter(({ by }) => by === 'user');
  return said.flatMap((statement, at) => {
    const text = ownText(statement, words);
    return text && (at === 0 || !isSmallTalk(text, words)) ? [{ text, cites: [cite.statement(statement)], origin: 'user' as const, mark: '' }] : [];
  });
}

/** Of a message with something pasted into it, what was typed. */
function ownText({ text }: Statement, words: Words): string {
  return ownWords(text, words)
    .own.map((part) => part.text)
    .join('\n…\n');
}

/** In UTF-16 units: who only says "yes, go on" says no more. */
const SHORT = 40;
const isSmallTalk = (text: string, words: Words): boolean => text.length <= SHORT && words.small_talk.test(text);
