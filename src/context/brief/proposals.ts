import type { Evidence } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { askedOf } from './asked.ts';
import { cite, quote } from './cite.ts';
import { type Round, roundsOf } from './dialogue.ts';
import type { Offer, Option } from './offers.ts';
import { overridden } from './overrides.ts';
import type { Reply } from './replies.ts';
import { reversals } from './reversals.ts';
import { unansweredIn } from './unanswered.ts';
import type { Point } from './value.ts';

/** What was proposed, by what the user said to it. Each point quotes both and cites where they stand. */
export interface Proposals {
  /** accepted, in whole or in part, or chosen; also questions that the user has answered */
  decided: Point[];
  /** refused, or accepted and taken back later */
  rejected: Point[];
  /** put off by the user */
  postponed: Point[];
  /** what still asks for a word of the user */
  unanswered: Point[];
}

/** One thing that was offered, with all that the user said to it, in order. */
export interface Thread {
  offer: Offer;
  option: Option | undefined;
  replies: Reply[];
}

/** The assistant's proposals with the user's own answers. What the user never spoke to is no decision, whatever became of it. */
export function proposals(evidence: Evidence, words: Words): Proposals {
  const rounds = roundsOf(evidence, words);
  const asked = askedOf(evidence);
  const out: Proposals = {
    decided: [...asked.decided],
    rejected: [...asked.rejected],
    postponed: [...asked.postponed],
    unanswered: unansweredIn(rounds, evidence, words),
  };
  const gone = overridden(evidence, words);
  for (const thread of reversals(threadsOf(rounds), evidence, words)) {
    const last = thread.replies.at(-1) as Reply;
    const by = gone.filter(({ n, text }) => n === last.statement.n && last.text.includes(text));
    const whole = by.some(({ text, rest }) => rest === '' && last.text.startsWith(text));
    const point = { ...pointOf(thread), mark: by.length ? `(${whole ? '' : 'in part '}superseded by #${Math.max(...by.map((one) => one.by))})` : '' };
    if (last.stance === 'refused') out.rejected.push(point);
    else if (last.stance === 'postponed') out.postponed.push(point);
    // Of what was replaced as a whole the user has said what holds instead.
    else if (last.stance !== 'waits' && !whole) out.decided.push(point);
  }
  for (const points of [out.decided, out.rejected, out.postponed]) points.sort(byPlace);
  return out;
}

/** By place of the answer. */
const byPlace = (a: Point, b: Point): number => numberOf(a) - numberOf(b);
const numberOf = ({ cites }: Point): number => Math.max(0, ...cites.filter((one) => one.startsWith('#')).map((one) => Number(one.slice(1))));

function threadsOf(rounds: readonly Round[]): Thread[] {
  const threads = new Map<Offer | Option, Thread>();
  for (const reply of rounds.flatMap(({ replies }) => replies)) {
    const key = reply.option ?? reply.offer;
    const thread = threads.get(key);
    if (thread) thread.replies.push(reply);
    else threads.set(key, { offer: reply.offer, option: reply.option, replies: [reply] });
  }
  return [...threads.values()];
}

const SAID: Record<Reply['stance'], string> = {
  accepted: 'accepted by the user',
  answered: 'answered by the user',
  refused: 'refused by the user',
  postponed: 'put off by the user',
  waits: 'the user',
};

function pointOf({ offer, option, replies }: Thread): Point {
  const cites = [...new Set([offer.cite, ...replies.map(({ statement }) => cite.statement(statement))])];
  const says = replies.map((reply, n) => {
    const before = replies[n - 1]?.stance;
    const back = reply.stance === 'refused' && (before === 'accepted' || before === 'answered');
    return `; ${back ? 'taken back by the user' : labelOf(offer, option, reply)}: ${quote(reply.text)}${n + 1 < replies.length ? ` (${cite.statement(reply.statement)})` : ''}`;
  });
  // Of "A or B?" the question says more than the part of it that was taken; a part that was refused stands for itself.
  const whole = option && offer.split && replies.at(-1)?.stance !== 'refused';
  const text = option && !whole ? option.text : offer.proposes ? offer.text : offer.whole;
  return { text: `${offer.proposes ? 'proposed' : 'asked'}: ${quote(text)} (${offer.cite})${says.join('')}`, cites, origin: 'user', mark: '' };
}

function labelOf(offer: Offer, option: Option | undefined, { stance }: Reply): string {
  if (stance !== 'accepted') return SAID[stance];
  return !offer.proposes || (option && offer.split) ? SAID.answered : SAID.accepted;
}
