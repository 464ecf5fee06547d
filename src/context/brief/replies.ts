import type { Statement } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { isQuestion } from './binds.ts';
import { choicesIn } from './choices.ts';
import { subjects } from './likeness.ts';
import { named, shared } from './naming.ts';
import type { Offer, Option } from './offers.ts';
import { type Said, saidIn } from './said.ts';
import { bareStance, clauses, keeps, leadStance, type Stance, stanceOf } from './stance.ts';

/** What the user says to an offer. */
export interface Reply {
  offer: Offer;
  /** the one of its options that is meant, where one is */
  option: Option | undefined;
  /** answered: it is taken up, without a yes or no */
  stance: Stance | 'answered';
  /** the sentences that say so, verbatim, with the reason */
  text: string;
  statement: Statement;
}

/** `replies`: what a statement of the user says to the offers made before it. `touched`: offers that it speaks of, in whatever way. */
export interface Response {
  replies: Reply[];
  touched: ReadonlySet<Offer>;
}

interface Hit {
  at: number;
  offer: Offer;
  option: Option | undefined;
  stance: Reply['stance'];
}

/** What a statement of the user says to the offers made right before it. */
export function repliesTo(offers: readonly Offer[], statement: Statement, words: Words): Response {
  const said = saidIn(statement, words);
  const hits = strongest(said.flatMap((one, at) => hitsOf(offers, one, at, said, words)));
  const about = subjects(said.map(({ text }) => text).join('\n'));
  const touched = new Set([...hits.map(({ offer }) => offer), ...offers.filter((offer) => shared(about, offer.about) > 0)]);
  const taken = new Set(hits.map(({ at }) => at));
  return { replies: hits.map((hit) => replyOf(hit, said, taken)), touched };
}

/** What it says to offers that were made earlier: only what names them beyond doubt. */
export function latecomers(offers: readonly Offer[], statement: Statement, words: Words): Reply[] {
  if (!offers.length) return [];
  const said = saidIn(statement, words);
  const hits = said.flatMap(({ text }, at) => (isQuestion(text, words) ? [] : saidOf(offers, text, false, words, true).map((hit): Hit => ({ at, ...hit }))));
  const taken = new Set(hits.map(({ at }) => at));
  return strongest(hits).map((hit) => replyOf(hit, said, taken));
}

const replyOf = (hit: Hit, said: readonly Said[], taken: ReadonlySet<number>): Reply => ({
  offer: hit.offer,
  option: hit.option,
  stance: hit.stance,
  text: quoted(said, hit, taken),
  statement: (said[hit.at] as Said).statement,
});

/** Of each offer, or option of it, what is said first. Who chose one of several has answered the question itself. */
function strongest(hits: readonly Hit[]): Hit[] {
  const found = new Map<Offer | Option, Hit>();
  for (const hit of hits) {
    const key = hit.option ?? hit.offer;
    if (!found.has(key)) found.set(key, hit);
  }
  const chosen = new Set([...found.values()].filter(({ option }) => option).map(({ offer }) => offer));
  const answered = new Set<Offer>();
  return [...found.values()].filter(({ option, offer, stance }) => {
    if (!option) return !chosen.has(offer);
    if (!offer.split || stance === 'refused' || stance === 'postponed') return true;
    // Of "A or B?" one is meant.
    return !answered.has(offer) && answered.add(offer);
  });
}

function hitsOf(offers: readonly Offer[], { text }: Said, at: number, all: readonly Said[], words: Words): Hit[] {
  if (isQuestion(text, words)) return [];
  const marked = byMark(offers, text, words);
  if (marked.length) {
    const taken = new Set(marked.map(({ option }) => option));
    const others = saidOf(offers, text, false, words).filter(({ option, stance }) => !taken.has(option) && (stance === 'refused' || stance === 'postponed'));
    return [...marked, ...others].map((hit): Hit => ({ at, ...hit }));
  }
  const first = all
    .slice(0, at)
    .every((one) => one.text.length < SHORT && !THANKS.test(one.text) && (words.small_talk.test(one.text) || !subjects(one.text).size));
  const hits = saidOf(offers, text, first, words).map((hit): Hit => ({ at, ...hit }));
  return hits.length || !first ? hits : bare(offers, text, at + 1 < all.length, words).map((hit): Hit => ({ at, ...hit }));
}

/** Praise behind it is for what was done. */
const THANKS = /\b(?:thanks?|thx|cheers)\b|谢|辛苦/i;

/** In UTF-16 units: only a word of welcome. */
const SHORT = 24;

type Found = Omit<Hit, 'at'>;

/** "2, but keep the old name", "1 and 3, no CDN": what is chosen by number or letter. */
function byMark(offers: readonly Offer[], text: string, words: Words): Found[] {
  const found = new Map<Option, Found>();
  for (const clause of clauses(text))
    for (const offer of offers)
      for (const option of choicesIn(clause, offer.options))
        if (!found.has(option)) found.set(option, { offer, option, stance: stanceOf(clause, words) ?? 'accepted' });
  return [...found.values()];
}

/** What a sentence says to offers that it names. */
function saidOf(offers: readonly Offer[], text: string, first: boolean, words: Words, late = false): Found[] {
  const parts = clauses(text);
  const units = parts.map((part) => named(offers, part));
  const lead = units[0] || late ? undefined : leadStance(parts[0] ?? '', words);
  const waits = units.some((unit) => unit) && words.third_person.test(text);
  const found = units.flatMap((unit, n): Found[] => {
    if (!unit || !(late ? unit.beyondDoubt : unit.sure || first)) return [];
    const { offer, option, sure } = unit;
    const own = keeps(parts[n] as string, (option ?? offer).text) ? 'refused' : stanceOf(parts[n] as string, words);
    // "Let's ask Ann about the cache" takes nothing yet, nor does "put the address first" accept a whole plan.
    const firm = (waits || offer.begins) && own === 'accepted' && !words.accepting.test(parts[n] as string) ? undefined : own;
    const stance = (n > 0 ? lead : undefined) ?? firm ?? (waits ? 'waits' : first && sure && (offer.asks || option) && !offer.begins ? 'answered' : undefined);
    return stance === undefined ? [] : [{ offer, option, stance }];
  });
  // "Use MySQL, Redis goes away next month": what is only mentioned beside the chosen one, or beside others, is not taken.
  return found.filter((hit) => hit.stance !== 'answered' || !hit.option || !found.some((other) => other.offer === hit.offer && other.option !== hit.option));
}

/** Means no more than "I have read it", where more follows and nothing was asked. */
const HEARD = /^\W*(?:ok(?:ay)?|k|fine|good|right|correct|sure|nice|great|perfect|好的?|嗯+|行|可以|不错|对)\W*$/i;

/** Goes on, or gives in a word or two what was asked for. */
function heard(text: string, asked: Offer, words: Words): 'accepted' | 'answered' | undefined {
  if (words.small_talk.test(text)) return words.continuing.test(text) ? 'accepted' : undefined;
  return OPEN_ENDED.test(asked.whole) && (clauses(text)[0] ?? '').length <= SHORT && !DIRECTS.test(text) ? 'answered' : undefined;
}

const OPEN_ENDED =
  /(?:^|[.:：。，,\n]\s*)(?:and |so |but )?(?:which|what|who|whose|where|when|how (?:many|much|long|often|big))\b[^.?]*\?|(?:哪|几|多少|什么|谁|多久)[^。？?]*[？?]/i;
const DIRECTS =
  /^\W*(?:first|please|pls|fix|run|add|write|stop|wait|commit|now|make|then|also|just|try|check|look|can|could|go|do|show|let|and|先|请|再|把|帮)(?![a-z])/i;

/** What a first sentence says that names nothing: to what was asked last, else to all that was proposed. */
function bare(offers: readonly Offer[], text: string, more: boolean, words: Words): Found[] {
  const asked = offers.findLast(({ asks }) => asks);
  const stance = asked && keeps(clauses(text)[0] ?? '', asked.text) ? 'refused' : (bareStance(text, words) ?? (asked && heard(text, asked, words)));
  if (stance === undefined) return [];
  if (asked) return [{ offer: asked, option: undefined, stance }];
  if (stance === 'waits' || (more && HEARD.test(text))) return [];
  const last = offers.filter(({ cite }) => cite === offers.at(-1)?.cite);
  return (stance === 'accepted' ? last : last.slice(-1)).map((offer) => ({ offer, option: undefined, stance }));
}

/** Something else begins. */
const TOPIC =
  /^(?:also|another|one (?:more|last)|by the way|btw|next|now|oh|two things|(?:and|then|so) (?:also|now|then|please|call|commit|write|apply|run|add|what|the next)|what about|commit|please|另外|还有|顺便|对了|下一|接下来|然后|现在|再)(?![\w])/i;
const CONTRAST =
  /^(?:but|only|just|except|and not|though|however|because|since|as long as|otherwise|then|it|that|this|they|these|those|但|不过|只|除了|因为|否则|这样|它)/i;
/** Sentences that a reason may take without a word of what it is the reason of. */
const REASON_MAX = 2;

/** The sentence, and those behind it that belong to it: of a refusal its reason, of any other what narrows it. */
function quoted(said: readonly Said[], { at, offer, stance }: Hit, taken: ReadonlySet<number>): string {
  const first = said[at] as Said;
  const about = new Set([...offer.about, ...subjects(first.text)]);
  let end = first.end;
  let other = 0;
  for (let next = at + 1; next < said.length && !taken.has(next); next++) {
    const one = said[next] as Said;
    if (TOPIC.test(one.text) || /\n\s*\n/.test(first.statement.text.slice(end, one.start))) break;
    const belongs = CONTRAST.test(one.text) || shared(subjects(one.text), about) > 0;
    other = belongs ? 0 : other + 1;
    if (!belongs && (stance === 'accepted' || stance === 'answered' || other > REASON_MAX)) break;
    end = one.end;
  }
  return first.statement.text.slice(first.start, end);
}
