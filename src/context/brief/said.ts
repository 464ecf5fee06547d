import type { Evidence, Statement } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { isMachineLine } from './machine.ts';
import { type OwnWords, ownWords } from './own-words.ts';
import { type Sentence, sentences } from './sentences.ts';

/** A sentence that the user typed, with what it stands under: "Do not touch:" above a list. */
export interface Said {
  statement: Statement;
  text: string;
  /** `text` is `statement.text.slice(start, end)`, in UTF-16 units */
  start: number;
  end: number;
  /** what it stands under, where it is an item of a list */
  under?: string;
}

/** The user's statements, taken apart into own words and what was pasted. */
export const statementsOf = (evidence: Evidence, words: Words): { statement: Statement; parts: OwnWords }[] =>
  evidence.statements.filter((one) => one.by === 'user').map((statement) => ({ statement, parts: ownWords(statement.text, words) }));

/** The sentences that the user typed, in order: without code, quotations, headings and what programs wrote. */
export function saidIn(statement: Statement, parts: OwnWords): Said[] {
  return parts.own.flatMap((part) => {
    const all = sentences(part.text);
    return all.filter(isTyped).map(({ text, start, end, under }) => ({
      statement,
      text,
      start: part.start + start,
      end: part.start + end,
      ...(under === undefined ? {} : { under: (all[under] as Sentence).text }),
    }));
  });
}

const isTyped = (one: Sentence): boolean => (one.kind === 'prose' || one.kind === 'item' || one.kind === 'row') && !isMachineLine(one.text);
