import type { Words } from '#context/words/index.ts';
import { subjects } from './likeness.ts';

/** accepted: also where it is only named as what is to be taken. waits: somebody else has to say. */
export type Stance = 'accepted' | 'refused' | 'postponed' | 'waits';

/** What a clause says to a proposal that it is known to be about; undefined: neither yes nor no. */
export function stanceOf(clause: string, words: Words): Exclude<Stance, 'waits'> | undefined {
  const said = bare(clause, words);
  if (words.putting_off.test(said)) return 'postponed';
  if (words.declining.test(said)) return 'refused';
  return words.accepting.test(said) || words.picking.test(said) ? 'accepted' : undefined;
}

/** What a first sentence says to whatever was proposed, without a word of what: "yes", "ok do that", "no, too heavy", "later". */
export function bareStance(sentence: string, words: Words): Stance | undefined {
  const said = bare(sentence, words).replace(FILLER, '');
  const [first = '', second = ''] = clauses(said);
  const yes = words.accepting.exec(first)?.index;
  if (words.bare_no.test(said) || (words.declining.test(first) && !ORDER.test(first))) return words.putting_off.test(said) ? 'postponed' : 'refused';
  if (words.putting_off.test(first) && first.length <= SHORT) return 'postponed';
  // "Nice to have, but not now" puts off, "ok, but skip step 3 for now" does not.
  if (words.putting_off.test(second) && subjects(second).size < 2) return 'postponed';
  if (yes !== undefined && yes <= LEAD) return 'accepted';
  return words.third_person.test(said) ? 'waits' : undefined;
}

/** What a clause says that stands before what it is about: "No, leave the golden files alone". */
export function leadStance(clause: string, words: Words): 'accepted' | 'refused' | undefined {
  const said = bare(clause, words).replace(FILLER, '');
  if (words.bare_no.test(said)) return 'refused';
  return words.accepting.exec(said)?.index === 0 ? 'accepted' : undefined;
}

const REMOVES =
  /\b(?:drop|remov(?:e|ing)|delet(?:e|ing)|get(?:ting)? rid of|throw(?:ing)? away|retir(?:e|ing))\b([^.?!]*)|(?:去掉|删(?:除|掉)?|移除|下线|废弃|清掉)([^。？！]*)|([^。？！，]*)(?:去掉|删掉|移除|下线)/i;
const KEEPS = /^\W*(?:(?:and|but|no|please|i['’]?d rather|i would rather|rather|let['’]?s)\W+)*(?:keep|leave|retain)\b|\bstays?\b|留着|保留|先留/i;
const POINTS_BACK = /\b(?:it|that|them|those|these|both)\b|它/i;

/** "Leave the column" refuses to have it dropped. */
export function keeps(clause: string, offered: string): boolean {
  if (!KEEPS.test(clause)) return false;
  const removed = REMOVES.exec(offered)?.slice(1).find(Boolean);
  if (removed === undefined) return false;
  const about = subjects(removed);
  return POINTS_BACK.test(clause) || [...subjects(clause)].some((word) => about.has(word));
}

/** Only buys time. */
const FILLER = /^(?:(?:_|hm+|well|oh|ah|uh|um|er|hold on|wait(?: a \w+)?|等等|等一下|呃|唔|那个)[,，.…!\s]+)+/i;
/** In UTF-16 units: a clause that says no more than "later", and what may stand before a yes ("ok, ", "hm "). */
const SHORT = 30;
const LEAD = 12;
/** An order about something of its own: "don't touch the schema" is no answer to "shall I commit?". */
const ORDER =
  /^\W*(?:(?:and|but|so|please|ok|okay|also)\W+)?(?:do ?n['’]?t|do not|never|not|stop|skip|drop|without|forget|scratch|leave|别|不(?:要|用|能|动|改|加|做|引入))/i;

/** A sentence apart, since "X, not Y" says two things. */
export const clauses = (text: string): string[] =>
  text.split(/[,，;；](?!\d)|[:：](?=\s|[\u3400-\u9fff])|\s(?=(?:but|instead of|rather than) )|(?=而不是|但是)/).filter((clause) => clause.trim());

const bare = (text: string, words: Words): string =>
  text
    .replace(words.casual, '_')
    .replace(/[\s.!。！~)"”'’*_]+$/, '')
    .trim();
