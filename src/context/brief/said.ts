import type { Evidence, Statement } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { isMachineLine } from './machine.ts';
import { once } from './once.ts';
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

/** A statement of the user, taken apart into own words and what was pasted. Worked out once. */
export const partsOf = once(({ text }: Statement, words: Words): OwnWords => ownWords(text, words));

/** The user's statements, so taken apart. */
export const statementsOf = (evidence: Evidence, words: Words): { statement: Statement; parts: OwnWords }[] =>
  evidence.statements.filter((one) => one.by === 'user').map((statement) => ({ statement, parts: partsOf(statement, words) }));

/** The sentences that the user typed, in order: without code, quotations, headings and what programs wrote. Worked out once. */
export const saidIn = once((statement: Statement, words: Words): readonly Said[] =>
  partsOf(statement, words).own.flatMap((part) => {
    const all = sentences(part.text);
    return all.filter(isTyped).map(({ text, start, end, under }) => ({
      statement,
      text,
      start: part.start + start,
      end: part.start + end,
      ...(under === undefined ? {} : { under: (all[under] as Sentence).text }),
    }));
  }),
);

const isTyped = (one: Sentence): boolean => (one.kind === 'prose' || one.kind === 'item' || one.kind === 'row') && !isMachineLine(one.text);
