import type { Option } from './offers.ts';
import { markOf } from './pieces.ts';

const ALL =
  /^\W*(?:(?:yes|ok|sure|let['’]?s do|do|take|use)[,\s]+)?(?:both|all (?:of (?:them|those|it)|three|four)|neither|none|either)\b|^(?:都[要做行可]|两个都|全都?要|全部都?要|都不)/i;
/** "2", "B.", "(a) and", at the beginning, and no "2 GB" or "a small one". */
const FIRST =
  /^(?:(?:ok|okay|yes|sure|hm+|then|好的?|嗯|那就?|就)[,，\s]+)?[(（#"]?([1-9一二三四]|[a-d])["']?[)）]?(?=$|[,，;；:：!。！、)]|\.(?!\d)| (?:please|pls|is|looks|sounds|but|and|with|for|then|it is|fine|good)\b|\s?[吧就和、])/i;
const NAMED =
  /(?:\b(?:options?|variants?|alternative|plan|number|no\.|way|go(?:ing)? (?:with|for)|take|choose|pick|prefer|use)\s+|方案|选项?|第|用|走|就按?|#)\s?[(（]?([1-9一二三四]|[a-d])[)）]?(?=$|[\s,，;；:：!。！、)]*(?:$|[,，;；:：!。！、)]|\.(?!\d)|and\b|but\b|or\b|please\b|[吧个种条和])|\.(?!\d))/gi;
const MORE = /(?:and|[,，、&+]|和|跟)\s?[(（]?([1-9a-d一二三四])(?=$|[\s,.;:!，。；)）、吧])/gi;
const ORDINAL =
  /\bthe (first|second|third|fourth|last|former|latter)(?= (?:one|option|way|variant|approach|alternative|idea|proposal)|[.,;:!]|$| please)|(前者|后者|第一|第二|第三|第四|最后)(?=一?[个种条]|[吧，。！,]|$)/gi;
const PLACES: Readonly<Record<string, number>> = {
  first: 0,
  former: 0,
  前者: 0,
  第一: 0,
  second: 1,
  第二: 1,
  third: 2,
  第三: 2,
  fourth: 3,
  第四: 3,
  last: -1,
  latter: -1,
  后者: -1,
  最后: -1,
};

/** The options that a sentence names by number, letter or place. */
export function choicesIn(sentence: string, options: readonly Option[]): Option[] {
  if (options.length < 2) return [];
  const said = sentence.trim();
  if (ALL.test(said)) return [...options];
  const marks = [FIRST.exec(said)?.[1], ...[...said.matchAll(NAMED)].map(([, mark]) => mark)].filter((mark) => mark !== undefined);
  if (marks.length) marks.push(...[...said.matchAll(MORE)].map(([, mark]) => mark as string));
  const places = [...said.matchAll(ORDINAL)].map((match) => PLACES[(match[1] ?? match[2] ?? '').toLowerCase()]);
  const named = [...marks.map((mark) => byMark(markOf(mark), options)), ...places.map((place) => (place === undefined ? undefined : options.at(place)))];
  return [...new Set(named.filter((one) => one !== undefined))];
}

/** By the mark that it has, else by its place among them. */
function byMark(mark: string, options: readonly Option[]): Option | undefined {
  const own = options.find((option) => option.mark === mark);
  if (own) return own;
  const place = /\d/.test(mark) ? Number(mark) - 1 : 'abcd'.indexOf(mark);
  return options.some((option) => option.mark !== '' && /\d/.test(option.mark) === /\d/.test(mark)) ? undefined : options[place];
}
