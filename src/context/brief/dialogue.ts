import type { Evidence, Statement } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { type Offer, offersIn } from './offers.ts';
import { once } from './once.ts';
import { latecomers, type Reply, repliesTo } from './replies.ts';

/** What the assistant offered between two statements of the user, and what the second one says to it. */
export interface Round {
  /** the user's words before it */
  before: Statement | undefined;
  offers: Offer[];
  /** undefined: the user has not spoken since */
  answer: Statement | undefined;
  replies: Reply[];
  /** offers that the answer speaks of */
  touched: ReadonlySet<Offer>;
}

/** Offers that wait for an answer while something else is talked about: so many are remembered. */
const KEPT = 12;

/** In UTF-16 units: a question about an offer is short. */
const ASIDE_MAX = 200;

/** The rounds of a session in their order. An offer that got no answer may still be answered by name in a later round. */
export const roundsOf = once(({ statements, operations }: Evidence, words: Words): readonly Round[] => {
  const answers = new Set(operations.filter(({ actions }) => actions.some(({ kind }) => kind === 'ask' || kind === 'propose')).map(({ n }) => n));
  const rounds: Round[] = [];
  let offers: Offer[] = [];
  let waiting: Offer[] = [];
  let before: Statement | undefined;
  statements.forEach((statement, at) => {
    if (statement.by === 'assistant') {
      const next = statements[at + 1];
      offers.push(...offersIn(statement, next === undefined || next.by === 'user', words));
    } else if (statement.operation === undefined || !answers.has(statement.operation)) {
      // Who asks back before answering leaves the offer where it is.
      const asksBack = /[?？]\s*$/.test(statement.text) && statement.text.length < ASIDE_MAX;
      const round = roundOf(before, offers, waiting, statement, words);
      if (asksBack && !round.replies.length) {
        before ??= statement;
        return;
      }
      rounds.push(round);
      waiting = [...waiting, ...offers].filter((offer) => !round.replies.some((reply) => reply.offer === offer)).slice(-KEPT);
      offers = [];
      before = statement;
    }
  });
  if (offers.length) rounds.push({ before, offers, answer: undefined, replies: [], touched: new Set() });
  return rounds;
});

function roundOf(before: Statement | undefined, offers: Offer[], waiting: readonly Offer[], answer: Statement, words: Words): Round {
  const now = repliesTo(offers, answer, words);
  // Of what was offered earlier, only what is chosen by name: a "yes" is meant for the last.
  const later = now.replies.length ? [] : latecomers(waiting, answer, words);
  return { before, offers, answer, replies: [...now.replies, ...later], touched: now.touched };
}
