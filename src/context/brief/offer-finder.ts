import type { Words } from '#context/words/index.ts';
import { likeness, subjects } from './likeness.ts';
import { inlineOptions, type Piece, piecesOf } from './pieces.ts';

/** Where an offer stands in a statement. */
export interface Draft {
  start: number;
  end: number;
  /** where the question that asks about it ends */
  askedEnd: number;
  /** where what leads to it begins */
  leadStart?: number;
  options: { mark: string; text: string }[];
  asks: boolean;
  proposes: boolean;
}

const FOLLOWING = 2;
/** Goes on with another way: it belongs to what was proposed before. */
const OTHER =
  /^(?:or|alternatively|otherwise|the (?:other|alternative)|another (?:option|way|alternative)|instead,|或者|另一种|另外一种|不然|否则|再不然|还有一种)(?=[\s,，是]|[\u3400-\u9fff])/i;
/** In UTF-16 units: what is longer says itself what it is about. */
export const BARE_MAX = 60;
const POINTS_BACK =
  /\b(?:that|it|this|these|those|them|both|either|which (?:one|way|of|option|do)|so)\b|哪[种个一条几些]|这样|行吗|你看|可以吗|好吗|选哪|如何|怎么样|要吗|要不要[？?]/i;
const ADVICE = /\b(?:recommend\w*|suggest\w*|prefer|favou?r|would (?:go|take|pick|choose))\b|推荐|建议|倾向/i;
/** Asks to begin: a list before it is what is to be done, not what may be chosen. */
export const BEGIN = /\b(?:start|begin|proceed|go (?:ahead|on)|continue|do (?:this|that|it|these|all)|implement)\b|开始|继续|动手|执行|按这个/i;

/** Goes through the pieces of a statement once. */
export class OfferFinder {
  readonly #drafts: Draft[] = [];
  readonly #text: string;
  readonly #last: boolean;
  readonly #words: Words;
  /** pieces since the last one that belongs to a draft */
  #gap = 0;

  constructor(text: string, last: boolean, words: Words) {
    this.#text = text;
    this.#last = last;
    this.#words = words;
  }

  find(): Draft[] {
    const pieces = piecesOf(this.#text);
    for (let i = 0; i < pieces.length; ) i = (pieces[i] as Piece).item ? this.#list(pieces, i) : this.#sentence(pieces, i);
    return this.#drafts;
  }

  #asks({ text }: Piece): boolean {
    if (this.#words.closing.test(text)) return false;
    return this.#words.wants_answer.test(text) || (/[?？]["”'’)）*_\s]*$/.test(text) && (this.#last || this.#words.proposing.test(text)));
  }

  #proposes = ({ text }: Piece): boolean => this.#words.proposing.test(text);

  #sentence(pieces: readonly Piece[], at: number): number {
    const one = pieces[at] as Piece;
    const [asks, proposes] = [this.#asks(one), this.#proposes(one)];
    const former = this.#gap > FOLLOWING ? undefined : this.#drafts.at(-1);
    // What is recommended of a list stands behind it.
    const current = one.apart && !(former?.options.length && ADVICE.test(one.text) && this.#gap === 0) ? undefined : former;
    if (asks && this.#isBare(one)) this.#bare(pieces, at, current);
    else if (current && (OTHER.test(one.text) || (one.mark && current.options.at(-1)?.mark))) this.#another(current, one, asks);
    else if (current && proposes && this.#isOfIt(current, one)) this.#extend(current, one, asks);
    else if (asks || proposes || one.mark) this.#begin(one, asks, proposes);
    else if (current?.asks && this.#gap === 0) this.#extend(current, one, false);
    else this.#gap++;
    return at + 1;
  }

  /** A question that says nothing itself. */
  #isBare({ text }: Piece): boolean {
    const about = subjects(text);
    return (
      text.length <= BARE_MAX &&
      !inlineOptions({ text } as Piece).length &&
      (about.size === 0 || (POINTS_BACK.test(text) && about.size < 5) || (BEGIN.test(text) && about.size < 3))
    );
  }

  #bare(pieces: readonly Piece[], at: number, current: Draft | undefined): void {
    const one = pieces[at] as Piece;
    const before = pieces[at - 1];
    const asked = current ?? (one.apart && this.#gap === 0 ? this.#drafts.at(-1) : undefined);
    if (asked) Object.assign(asked, { asks: true, askedEnd: one.end });
    else if (before && !one.apart) this.#push({ start: before.start, end: one.end, asks: true, proposes: this.#proposes(one) });
    else this.#begin(one, true, this.#proposes(one));
    this.#gap = 0;
  }

  /** Says more of what was proposed, or which of the options is the better one. */
  #isOfIt(current: Draft, one: Piece): boolean {
    if (current.asks || one.mark) return false;
    if (current.options.length) return shares(one.text, current.options) || (this.#gap === 0 && one.text.length <= BARE_MAX && ADVICE.test(one.text));
    return this.#gap === 0 && isAbout(one.text, this.#text.slice(current.start, current.end));
  }

  #another(current: Draft, one: Piece, asks: boolean): void {
    if (!current.options.length) current.options.push({ mark: '', text: this.#text.slice(current.start, current.end) });
    current.options.push({ mark: one.mark, text: one.text });
    this.#extend(current, one, asks);
    current.proposes = true;
  }

  #extend(current: Draft, one: Piece, asks: boolean): void {
    current.end = one.end;
    current.askedEnd = one.end;
    current.asks ||= asks;
    this.#gap = 0;
  }

  #begin(one: Piece, asks: boolean, proposes: boolean): void {
    const inline = inlineOptions(one);
    this.#push({ start: one.start, end: one.end, asks, proposes: proposes || inline.length > 0 || one.mark !== '' });
    if (inline.length) (this.#drafts.at(-1) as Draft).options = inline;
    else if (one.mark) (this.#drafts.at(-1) as Draft).options = [{ mark: one.mark, text: one.text }];
  }

  #push(draft: Omit<Draft, 'options' | 'askedEnd'>): void {
    this.#drafts.push({ ...draft, askedEnd: draft.end, options: [] });
    this.#gap = 0;
  }

  /** A list: options of one question, several proposals, or questions of their own. Gives the index behind it and what belongs to it. */
  #list(pieces: readonly Piece[], at: number): number {
    let end = at;
    while (pieces[end]?.item) end++;
    const items = pieces.slice(at, end);
    const lead = pieces[at - 1];
    const tail = pieces[end] && !pieces[end]?.item && this.#asks(pieces[end] as Piece) ? pieces[end] : undefined;
    const leads = lead !== undefined && (this.#asks(lead) || this.#proposes(lead));
    if (items.length > 1 && items.every((one) => this.#asks(one))) for (const one of items) this.#begin(one, true, this.#proposes(one));
    else if (items.length > 1 && this.#areOptions(lead, leads, tail)) return this.#choice(items, leads ? (lead as Piece) : undefined, tail) ? end + 1 : end;
    else if (tail && this.#isBare(tail)) {
      this.#planned(items, lead, tail);
      return end + 1;
    } else if (leads && /[:：]\W*$/.test((lead as Piece).text)) {
      this.#drop(lead as Piece);
      for (const one of items) {
        this.#begin(one, this.#asks(one), true);
        (this.#drafts.at(-1) as Draft).leadStart = (lead as Piece).start;
      }
    } else for (const one of items) if (this.#asks(one) || this.#proposes(one)) this.#begin(one, this.#asks(one), true);
    return end;
  }

  #areOptions(lead: Piece | undefined, leads: boolean, tail: Piece | undefined): boolean {
    if (tail && !BEGIN.test(tail.text) && (this.#words.choosing.test(tail.text) || this.#isBare(tail))) return true;
    return (
      leads && lead !== undefined && (this.#asks(lead) || this.#words.choosing.test(lead.text)) && !/proposals|suggestions|questions|建议|问题/i.test(lead.text)
    );
  }

  /** True where the question behind the list belongs to it. */
  #choice(items: readonly Piece[], lead: Piece | undefined, tail: Piece | undefined): boolean {
    if (lead) this.#drop(lead);
    const [first, last] = [lead ?? (items[0] as Piece), items.at(-1) as Piece];
    this.#push({ start: first.start, end: last.end, asks: tail !== undefined || (lead !== undefined && this.#asks(lead)), proposes: true });
    const draft = this.#drafts.at(-1) as Draft;
    draft.options = items.map(({ mark, text }) => ({ mark, text }));
    const joins = tail !== undefined && (!lead || this.#isBare(tail) || this.#words.choosing.test(tail.text));
    if (joins) draft.askedEnd = tail.end;
    return joins;
  }

  /** What is to be done, and whether to begin with it. */
  #planned(items: readonly Piece[], lead: Piece | undefined, tail: Piece): void {
    const leading = lead && /[:：]\W*$/.test(lead.text) ? lead : undefined;
    if (leading) this.#drop(leading);
    this.#push({ start: (leading ?? (items[0] as Piece)).start, end: (items.at(-1) as Piece).end, asks: true, proposes: true });
    (this.#drafts.at(-1) as Draft).askedEnd = tail.end;
  }

  /** What only leads a list is no offer of its own. */
  #drop(lead: Piece): void {
    const last = this.#drafts.at(-1);
    if (last && last.start === lead.start) this.#drafts.pop();
    else if (last && last.end === lead.end) Object.assign(last, { end: lead.start, askedEnd: lead.start });
  }
}

function shares(text: string, options: readonly { text: string }[]): boolean {
  const about = subjects(text);
  return options.some((option) => [...subjects(option.text)].some((word) => about.has(word)));
}

/** Both name one thing, or are alike. */
function isAbout(text: string, other: string): boolean {
  const [a, b] = [subjects(text), subjects(other)];
  return likeness(a, b) >= 0.4 || [...a].some((word) => b.has(word) && /^[a-z]/.test(word));
}
