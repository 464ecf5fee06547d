import { english } from './en.ts';
import { type Lists, PURPOSES, type Purpose } from './lists.ts';
import { chinese } from './zh.ts';

export type { Purpose } from './lists.ts';

/** For each purpose a pattern that finds any of its phrases in English or Chinese; none is global, so each `test` begins anew. */
export type Words = Readonly<Record<Purpose, RegExp>>;

/** Phrases of a user's own, which are taken as they are: no regular expressions. */
export type OwnWords = Readonly<Partial<Record<Purpose, readonly string[]>>>;

/** Behind these a clause begins. Of English also behind what only leads on: "and", "please", "so". */
const LEADS =
  'and|but|so|please|pls|plz|then|also|just|however|or|kindly|ok|okay|actually|again|now|instead|yes|no|with|that|well|oh|hey|thus|still|yet|plus|you|sorry';
const CLAUSE = `(?<=^[\\s"'(*_~\`“「]{0,6}|[,;:.!?()—–，；：。！？、…"“]\\s{0,3}|[\\u3400-\\u9fff]\\s?|(?:^|[^A-Za-z0-9_])(?:${LEADS})[,:]? )`;
/** What a whole sentence is, shows at its beginning. */
const OF_SENTENCE: ReadonlySet<Purpose> = new Set(['small_talk', 'asking', 'polite', 'all_of_it']);
const SENTENCE = `(?<=^[\\s"'(*_“「]{0,6}(?:(?:and|but|so|ok|okay|also|then|well|hm+|那|还有|另外)[,，]?\\s*)?)`;
const BEFORE = '(?<![A-Za-z0-9_-])';
const AFTER = '(?![A-Za-z0-9_-])';
const ZH_CLAUSE = '(?<=^[\\s"“「（(]{0,6}|[，；：。！？、,;:!?…]\\s{0,3}|[那就还请但而且再也]|所以|但是|而且|另外|然后|其实|现在)';

/** The words of both languages and, beside them, those of the settings (`context.words`). */
export function wordsOf(more: OwnWords = {}): Words {
  return Object.fromEntries(PURPOSES.map((purpose) => [purpose, pattern(purpose, more[purpose] ?? [])])) as Words;
}

function pattern(purpose: Purpose, own: readonly string[]): RegExp {
  const of = (lists: Lists): readonly string[] => lists[purpose];
  const [en, zh] = OF_SENTENCE.has(purpose) ? [SENTENCE, SENTENCE] : [CLAUSE, ZH_CLAUSE];
  const parts = [
    ...of(english).map((phrase) => inEnglish(phrase, en)),
    ...of(chinese).map((phrase) => inChinese(phrase, zh)),
    ...own.filter((word) => word.trim()).map(asGiven),
  ];
  // What is casual is taken out of a sentence, wherever it stands.
  return new RegExp(parts.join('|'), purpose === 'casual' ? 'gi' : 'i');
}

function inEnglish(phrase: string, begin: string): string {
  const begins = phrase.startsWith('^');
  const text = (begins ? phrase.slice(1) : phrase).replaceAll("'", "['’]?").replaceAll(' ?', '\\s*').replaceAll(' ', '\\s+');
  return `${begins ? begin : BEFORE}(?:${text})${AFTER}`;
}

const inChinese = (phrase: string, begin: string): string => (phrase.startsWith('^') ? `${begin}(?:${phrase.slice(1)})` : `(?:${phrase})`);

/** As it stands; letters and digits at its ends begin and end a word. */
function asGiven(word: string): string {
  const text = word
    .trim()
    .replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
    .replace(/\s+/g, '\\s+');
  return `${/^[A-Za-z0-9_]/.test(word.trim()) ? BEFORE : ''}${text}${/[A-Za-z0-9_]$/.test(word.trim()) ? AFTER : ''}`;
}
