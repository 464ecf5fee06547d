import type { Words } from '#context/words/index.ts';
import { binds, isQuestion } from './binds.ts';
import { subjects } from './likeness.ts';
import type { Said } from './said.ts';
import { type Value, valuesIn } from './values.ts';

/** A sentence of the user, as far as it can replace others or be replaced. */
export interface Remark {
  said: Said;
  clauses: Clause[];
  /** It sets or orders something. What does not, such as a measured figure, replaces nothing. */
  sets: boolean;
  /** it says that something is different from before */
  change: boolean;
  correction: boolean;
  /** it says that what was said right before was meant otherwise */
  mistaken: boolean;
  lifts: boolean;
  /** what it gives up by name: the subjects of each */
  dropped: ReadonlySet<string>[];
  /** it gives up and puts nothing in its place */
  forgets: boolean;
  /** what it returns to, by name */
  back: ReadonlySet<string>;
  /** it means all of what was said right before */
  allOfIt: boolean;
}

export interface Clause {
  text: string;
  /** what it is about, without the values and without what only says that something changes */
  topic: ReadonlySet<string>;
  values: Value[];
  /** it forbids or leaves out */
  negative: boolean;
  /** what the name is for, and the name, where it says so: "call the flag --fast", "put the config into conf/" */
  setting: { slot: ReadonlySet<string>; value: string } | undefined;
}

/** A clause ends here; both sides hold on their own. */
const CLAUSE_END =
  /[,;](?!\d)\s*|[，；：]\s*|:\s+|\s+[–—-]\s+|\s+but\s+|\s+and\s+(?=(?:do|don['’]?t|never|no|keep|leave|use|make|add|write|put|call|set|name|only|also|then|we|the|it)\b)/gi;
/** What says how something is set and not what. */
const SETTING_WORDS =
  /\b(?:do(?:n['’]?t| not)|actually|instead|rather|after all|on second thought|scratch|forget|drop|drops|dropped|switch\w*|chang\w*|mov\w*|replac\w*|bump|raise|lower|mak\w*|set|sets|back|revert\w*|return\w*|stick\w*|stay\w*|call\w*|nam\w*|use|uses|used|using|choose|chose|pick\w*|want\w*|prefer\w*|decid\w*|settl\w*|no longer|any ?more|meant?|sorry|wait|correction|let['’]?s|please|better|enough|fine|okay|ok|max\w*|min\w*|at most|at least|below|under|above|within|over|than|limit\w*|exceed\w*|exactly|about|around|allowed|feel free|ahead|own|skip|touch|for now)\b|跳过|暂时|暂不|做|改用|改成|改为|改到|换成|换用|换回|改回|切到|切回|调到|调成|提到|降到|设为|设成|定为|还是用?|就用|决定|使用|采用|选用|不再|不用了?|不要了?|算了|取消|其实|现在|可以|允许|应该|不对|说错了?|我是说|搞错了?|回到|退回|恢复|不超过|以内|至多|最多|至少|必须|就行|就够了?|就好|即可|先|吧|了|的|请|把|将|那|用|成|为|是/gi;
const NEGATIVE =
  /(?:^|[\s(])(?:don['’]?t|do not|never|no|not|without|avoid|skip|leave [^,.;]{1,60} (?:alone|out)|must not|mustn['’]?t|can['’]?t|cannot|shouldn['’]?t|should not|may not|stop|forget|drop|frozen|untouched)(?=[\s,.;:!]|$)|不要|不能|不得|不许|不准|禁止|(?<![特分区级类识判性个差告鉴辨派])别(?![的人处名墅])|勿|不用|不改|不动|不加|不引入|不做|跳过|先不|取消/i;

const DROPPED =
  /(?:instead of|rather than|in place of|no longer (?:use|need|want)?|stop using|do(?:n['’]?t| not) use|forget(?: about)?|scratch|scrap|ditch|abandon|cancel|drop) ((?:the |that |my |our )?[\w./-]+(?: [\w./-]+){0,3}?)(?= (?:for|because|since|and|but|in|on|as|any ?more|after all|it|we)\b|[,.;:!?，。；]|$)|replace ([\w./ -]{2,40}?) (?:with|by) |(?:from) ([\w./-]+) to |(?:不用|别用|不要用?|不再用|放弃|去掉|取消|忘掉|忘了|而不是)\s*([\w.\u4e00-\u9fff -]{2,20}?)(?:了|吧|，|。|,|；|$)|把?\s*([\w.-]+|[\u4e00-\u9fff]{2,8})\s*(?:就|还是)?(?:算了|不用了|不要了|作废)/gi;
const BACK =
  /(?:go(?:ing)? back to|went back to|back to|return to|revert to|switch back to|stick with|stay with) (?:the |our )?([\w./-]+(?: [\w./-]+){0,3}?)(?= (?:for|because|and|but|after|then|please)\b|[,.;:!?，。；]|$)|(?:换回|改回|退回|切回|回到|恢复)(?:到|成)?\s*([\w.\u4e00-\u9fff-]{1,16}?)(?:了|吧|，|。|,|$)/gi;

const SETTINGS: readonly RegExp[] = [
  /\b(?:call|name|rename)(?: it| them)? (?<slot>(?:the |that |this )?[\w -]{2,40}?)?(?: to| as)? ?[`"']?(?<value>[\w./-]+)[`"']?\s*$/i,
  /\b(?:use|go with|pick|choose|take|want)\s+(?<value>[^,;]{2,50}?)\s+(?:for|as)\s+(?<slot>[^,;]{2,60})$/i,
  /\b(?:put|store|save|place|move|write|keep|host)\s+(?<slot>[^,;]{2,60}?)\s+(?:in|into|to|under|at|on)\s+(?<value>[^,;]{2,60})$/i,
  /\b(?:set|change|make|switch)\s+(?<slot>[^,;]{2,60}?)\s+(?:to|=)\s*(?<value>[^,;]{1,50})$/i,
  /^(?:the |our )?(?<slot>[\w -]{2,50}?)\s+(?:should|must|will|has to) be\s+(?<value>[^,;]{2,50})$/i,
  /^(?:那|把|将)?(?<slot>[\w\u4e00-\u9fff -]{2,20}?)(?:还是|就|应该|都|统一)?(?:改用|换成|改成|改为|放到|放在|存到|存在|叫|定为|设为|用)\s*(?<value>[^，。；,;]{1,30}?)吧?$/,
];

/** What a sentence says that could matter to another; undefined for a question. */
export function remarkOf(said: Said, words: Words): Remark | undefined {
  const { text } = said;
  if (isQuestion(text, words)) return undefined;
  const change = words.change.test(text);
  const correction = words.correction.exec(text)?.index === 0;
  const lifts = words.lifting.test(text);
  const clauses = clausesOf(text);
  return {
    said,
    clauses,
    sets: change || correction || binds(text, words) || clauses.some(({ setting }) => setting),
    change,
    correction,
    mistaken: words.correction.test(text) && MISTAKEN.test(text),
    lifts,
    dropped: [...text.matchAll(DROPPED)].map((match) => subjects(match.slice(1).find(Boolean) ?? '')).filter((one) => one.size > 0),
    forgets: /\b(?:forget|scratch|scrap|cancel|drop)\b|忘|算了|作废|取消/i.test(text),
    back: subjects([...text.matchAll(BACK)].map((match) => match.slice(1).find(Boolean) ?? '').join(' ')),
    allOfIt: words.all_of_it.test(text),
  };
}

const MISTAKEN = /\b(?:meant?|wrong|misspoke|correction|mistake|typo)\b|应该|我是说|意思|指的|[说搞]?错了?|纠正|更正/i;

function clausesOf(text: string): Clause[] {
  const out: Clause[] = [];
  let start = 0;
  for (const match of [...text.matchAll(CLAUSE_END), undefined]) {
    const part = text.slice(start, match ? match.index : text.length).replace(/[.!。！\s]+$/, '');
    if (part.trim()) out.push(clauseOf(part.trim()));
    start = match ? match.index + match[0].length : text.length;
  }
  return out;
}

/** Longer ones are tables and lists of figures, which set nothing. In UTF-16 units. */
const CLAUSE_MAX = 1000;

function clauseOf(text: string): Clause {
  const values = text.length > CLAUSE_MAX ? [] : valuesIn(text);
  let rest = '';
  let from = 0;
  for (const { start, end } of [...values].sort((a, b) => a.start - b.start)) {
    if (start >= from) rest += `${text.slice(from, start)} `;
    from = Math.max(from, end);
  }
  rest += text.slice(from);
  return { text, topic: subjects(rest.replace(SETTING_WORDS, ' ')), values, negative: NEGATIVE.test(text), setting: settingOf(text) };
}

function settingOf(text: string): Clause['setting'] {
  if (text.length > CLAUSE_MAX) return undefined;
  const said = text.replace(/[\s,]+(?:instead|after all|please|now|then|again|for now|actually)$/i, '');
  for (const shape of SETTINGS) {
    const groups = shape.exec(said)?.groups;
    const slot = subjects((groups?.slot ?? '').replace(SETTING_WORDS, ' '));
    if (groups?.value && slot.size) return { slot, value: groups.value.toLowerCase().trim() };
  }
  return undefined;
}
