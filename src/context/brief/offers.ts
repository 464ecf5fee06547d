import type { Statement } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { cite } from './cite.ts';
import { subjects } from './likeness.ts';
import { BARE_MAX, BEGIN, type Draft, OfferFinder } from './offer-finder.ts';

/** What the assistant proposed, or asked of the user, as far as one answer may settle it. */
export interface Offer {
  /** what is quoted of it: verbatim, without a bare "Shall I?" */
  text: string;
  /** all that belongs to it: with that question, its options and what explains them */
  whole: string;
  /** the same with what leads the list that it is an item of */
  context: string;
  /** each may be chosen for itself */
  options: Option[];
  /** an answer is waited for */
  asks: boolean;
  /** false: a question that proposes nothing */
  proposes: boolean;
  /** it asks whether to begin with what was laid out */
  begins: boolean;
  /** its options are parts of one sentence, which is quoted whole */
  split: boolean;
  /** #n or E#n */
  cite: string;
  order: number;
  /** what it is about */
  about: ReadonlySet<string>;
}

export interface Option {
  /** number or letter; "" where it has none */
  mark: string;
  text: string;
  about: ReadonlySet<string>;
  /** of that, what no other option says */
  own: ReadonlySet<string>;
}

/** Offers of a statement in their order. `last`: the user speaks next, so that every question in it is one to the user. */
export function offersIn(statement: Statement, last: boolean, words: Words): Offer[] {
  const { text } = statement;
  if (!words.proposing.test(text) && !words.wants_answer.test(text) && !/[?？]/.test(text)) return [];
  return new OfferFinder(text, last, words).find().map((draft) => finished(draft, statement));
}

/** "Shall I keep A, or change to B?" */
const ALTERNATIVES = /,? or (?=\w)|[,，]?还是|, (?=be |to )/;
const OR_ELSE = /, or (?=\w)/;

/** What an offer leaves to choose in one sentence. */
function alternatives(text: string, asks: boolean): { mark: string; text: string }[] {
  // What explains them behind the sentence is of none of them.
  const sentence = /^[\s\S]*?[?？](?=\s|$|[\u3400-\u9fff])/.exec(text)?.[0] ?? text;
  const parts = sentence.split(asks ? ALTERNATIVES : OR_ELSE).map((part) => part.trim());
  return parts.length > 1 && parts.length <= 4 && parts.every((part) => subjects(part).size) ? parts.map((part) => ({ mark: '', text: part })) : [];
}

function optionsOf(options: readonly { mark: string; text: string }[]): Option[] {
  const abouts = options.map(({ text }) => subjects(text));
  return options.map((option, n) => {
    const about = abouts[n] as Set<string>;
    return { ...option, about, own: new Set([...about].filter((word) => abouts.every((other) => other === about || !other.has(word)))) };
  });
}

function finished({ start, end, askedEnd, leadStart = start, options, asks, proposes }: Draft, statement: Statement): Offer {
  const text = statement.text.slice(start, end).trim();
  const whole = statement.text.slice(start, askedEnd).trim();
  const split = options.length < 2 ? alternatives(text, asks) : [];
  return {
    text,
    whole,
    context: statement.text.slice(leadStart, askedEnd),
    options: optionsOf(split.length ? split : options),
    asks,
    proposes,
    begins: asks && !options.length && BEGIN.test(whole.slice(-BARE_MAX)),
    split: split.length > 0,
    cite: cite.statement(statement),
    order: statement.at.order,
    about: subjects(text),
  };
}
