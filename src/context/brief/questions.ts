import type { Evidence } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { askedOf } from './asked.ts';
import { isQuestion } from './binds.ts';
import { cite, quote } from './cite.ts';
import { type Round, roundsOf } from './dialogue.ts';
import { subjects } from './likeness.ts';
import type { Offer } from './offers.ts';
import { haveAnswered, othersIn } from './others.ts';
import type { Reply } from './replies.ts';
import { saidIn } from './said.ts';
import type { Point } from './value.ts';

/**
 * What is open at the end: questions of the assistant's last message, verbatim with all their options; earlier ones that wait for somebody else, or that the user passed
 * over; what a tool asked and nobody answered; the user's own last question where nothing answers it.
 */
export function questions(evidence: Evidence, words: Words): Point[] {
  const rounds = roundsOf(evidence, words);
  const earlier = rounds.flatMap((round) =>
    round.answer ? round.offers.filter(({ asks }) => asks).flatMap((offer) => stillOpen(offer, round, rounds, evidence, words)) : [],
  );
  return [...earlier, ...lastAsked(rounds, evidence), ...askedOf(evidence).open, ...ownQuestions(evidence, words)];
}

const point = (text: string, cites: string[]): Point => ({ text, cites, origin: 'assistant', mark: '' });

function lastAsked(rounds: readonly Round[], { statements }: Evidence): Point[] {
  const last = statements.at(-1);
  const offers = rounds.at(-1)?.answer || last?.by !== 'assistant' ? [] : (rounds.at(-1)?.offers ?? []);
  return offers.filter((offer) => offer.asks && offer.cite === cite.statement(last as { n: number })).map((offer) => point(offer.whole, [offer.cite]));
}

function stillOpen(offer: Offer, round: Round, rounds: readonly Round[], evidence: Evidence, words: Words): Point[] {
  const replies = rounds.flatMap((one) => one.replies).filter((reply) => reply.offer === offer);
  const last = replies.at(-1);
  if (last?.stance === 'waits' && !isBrought(last, evidence, words))
    return [point(`asked: ${quote(offer.whole)} (${offer.cite}); the user: ${quote(last.text)}`, [offer.cite, cite.statement(last.statement)])];
  if (last || offer.begins || round.touched.has(offer) || cameUp(offer, evidence)) return [];
  // The next request may have made it pointless: only what left something to decide is still a question.
  return offer.options.length > 1 || words.wants_answer.test(offer.whole) ? [point(offer.whole, [offer.cite])] : [];
}

/** Whom it waited for has answered since. */
function isBrought({ text, statement }: Reply, { statements }: Evidence, words: Words): boolean {
  const others = othersIn(text);
  return statements
    .slice(statement.n)
    .some((one) => one.by === 'user' && words.brought.test(one.text) && saidIn(one, words).some((said) => haveAnswered(said.text, others, words.brought)));
}

/** Messages: who comes back to a question, does so before long. */
const SOON = 60;

/** Whether anybody has spoken of it since. */
function cameUp({ cite: from, about }: Offer, { statements }: Evidence): boolean {
  const at = Number(from.slice(1));
  return statements.slice(at, at + SOON).some((one) => [...subjects(one.text)].filter((word) => about.has(word)).length > 1);
}

function ownQuestions({ statements }: Evidence, words: Words): Point[] {
  const last = statements.at(-1);
  if (last?.by !== 'user') return [];
  return saidIn(last, words)
    .filter(({ text }) => isQuestion(text, words) && words.polite.exec(text)?.index !== 0)
    .map(({ text }) => ({ ...point(text, [cite.statement(last)]), origin: 'user' as const }));
}
