import type { Evidence, Statement } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { cite } from './cite.ts';
import { likeness, subjects } from './likeness.ts';
import { offersIn } from './offers.ts';
import { type Sentence, sentences } from './sentences.ts';
import type { Point } from './value.ts';

/** What the assistant's last message names as next or as not done, verbatim, unless an operation after it did it. */
export function steps({ statements, operations }: Evidence, words: Words): Point[] {
  const last = statements.at(-1);
  if (last?.by !== 'assistant') return [];
  const after = operations.filter(({ at, outcome }) => at.order > last.at.order && outcome.state === 'done').map(({ what }) => subjects(what));
  return remaining(last, words)
    .filter((text) => !after.some((done) => likeness(done, subjects(text)) >= ALIKE))
    .map((text) => ({ text, cites: [cite.statement(last)], origin: 'assistant', mark: '' }));
}

/** How much of what an operation did a step has to name. */
const ALIKE = 0.6;

function remaining(last: Statement, words: Words): string[] {
  const all = sentences(last.text);
  const leads = (at: number | undefined): boolean => at !== undefined && words.remaining.test(titled(all[at] as Sentence));
  const leading = new Set(all.map(({ under }) => under).filter(leads));
  // Of what the user is asked to choose, nothing is a step yet.
  const asked = offersIn(last, true, words).filter(({ asks }) => asks);
  return all
    .filter((one, at) => {
      if ((one.kind !== 'prose' && one.kind !== 'item') || asked.some(({ whole }) => whole.includes(one.text))) return false;
      if (leads(one.under)) return true;
      return !leading.has(at) && words.remaining.test(one.text) && !/[?？]["”'’)）*_]*$/.test(one.text);
    })
    .map((one) => one.text);
}

/** A heading leads what stands under it, as "Next:" does. */
const titled = ({ kind, text }: Sentence): string => (kind === 'heading' ? `${text.replace(/[:：\s]+$/, '')}:` : text);
