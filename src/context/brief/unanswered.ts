import type { Evidence, Statement } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { isQuestion } from './binds.ts';
import { quote } from './cite.ts';
import type { Round } from './dialogue.ts';
import { likeness, subjects } from './likeness.ts';
import type { Offer } from './offers.ts';
import type { Point } from './value.ts';

/**
 * Proposals without an answer, where that matters: those of the last message, those that the user passed over while answering others of the same message,
 * and those that the user had asked for. Not what was carried out meanwhile, nor questions (see `questions`).
 */
export function unansweredIn(rounds: readonly Round[], evidence: Evidence, words: Words): Point[] {
  const lastWord = evidence.statements.at(-1);
  const found = rounds.flatMap((round) => {
    const left = round.offers.filter((offer) => offer.proposes && !offer.asks && !isAnswered(offer, rounds));
    if (!round.answer) return left.filter(({ cite }) => cite === `#${lastWord?.n}`);
    const others = round.offers.filter((offer) => round.touched.has(offer));
    const wanted = round.before !== undefined && asksForAdvice(round.before, words);
    const passedOver = (offer: Offer) => EXPLICIT.test(offer.context) && others.some((other) => other.cite === offer.cite);
    return left.filter((offer) => !round.touched.has(offer) && (wanted || passedOver(offer)) && !cameUp(offer, evidence, words));
  });
  return found.map((offer) => ({ text: `proposed: ${quote(offer.text)}; not answered by the user`, cites: [offer.cite], origin: 'assistant', mark: '' }));
}

const isAnswered = (offer: Offer, rounds: readonly Round[]): boolean => rounds.some(({ replies }) => replies.some((reply) => reply.offer === offer));

/** What only says how the assistant goes about it ("I would start with …") waits for no word. */
const EXPLICIT = /\b(?:propos|suggest|recommend)|建议|提议|推荐|可以考虑/i;

/** "What would you suggest?" */
const ADVICE =
  /\b(?:suggest|propos|recommend|advise|options?|alternatives?|ideas?|would you|what do you think|how should|what should|best way)\w*|建议|方案|怎么(?:做|办|处理)|选项|你觉得|推荐/i;

const asksForAdvice = ({ text }: Statement, words: Words): boolean => ADVICE.test(text) && (isQuestion(text, words) || /[?？]/.test(text));

/** How much of it a later message has to say for having been carried out, or talked about by the user. */
const ALIKE = 0.6;
/** Messages; what is carried out, is soon. */
const SOON = 60;

function cameUp(offer: Offer, { statements }: Evidence, words: Words): boolean {
  const from = Number(offer.cite.slice(1));
  return statements
    .slice(from, from + SOON)
    .some((one) => (one.by === 'user' || words.done.test(one.text)) && likeness(subjects(one.text), offer.about) >= ALIKE);
}
