import { alternativeOf } from '#context/words/alternatives.ts';

/** Something that a clause sets, and that a later one can set to something else: a number of a kind, a name of a kind, how often. */
export interface Value {
  /** what kind it is of: only values of one kind stand for each other */
  type: string;
  value: string;
  /** how it limits: "at most 5" and "at least 5" do not stand for each other */
  bound: 'most' | 'least' | '';
  start: number;
  end: number;
}

const UNITS: readonly (readonly [string, RegExp])[] = [
  ['time', /^(?:ms|msec|milliseconds?|s|secs?|seconds?|min|mins|minutes?|h|hrs?|hours?|days?|weeks?|months?|years?|毫秒|秒钟?|分钟|小时|天|周|个月|年)$/i],
  ['size', /^(?:b|kb|mb|gb|tb|kib|mib|gib|bytes?|字节)$/i],
  ['share', /^(?:%|percent|per cent)$/i],
  ['money', /^(?:eur|euros?|usd|dollars?|€|\$|元|块)$/i],
];
const NUMBER = /(?<![\w.#-])[v$€]?(\d{1,2}:\d\d|\d[\d,_]*(?:\.\d+)*k?)\s?(%|[A-Za-z]+|毫秒|秒钟?|分钟|小时|天|周|个月|年|字节|[\u4e00-\u9fff]{1,2})?/gi;
const WORD = /[A-Za-z][\w-]*|中文|英文|日文/g;
const PERIOD =
  /\b(hourly|daily|nightly|weekly|monthly|yearly|annually)\b|\b(?:by|per|every|each) (hour|day|night|week|month|year)\b|(?:按|每)个?(小时|天|日|周|月|年)/gi;
const PERIODS: Readonly<Record<string, string>> = {
  hourly: 'hour',
  小时: 'hour',
  daily: 'day',
  nightly: 'day',
  night: 'day',
  天: 'day',
  日: 'day',
  weekly: 'week',
  周: 'week',
  monthly: 'month',
  月: 'month',
  yearly: 'year',
  annually: 'year',
  年: 'year',
};

/** The values that a clause names, in order. */
export function valuesIn(clause: string): Value[] {
  return [...periods(clause), ...numbers(clause), ...names(clause)];
}

function* periods(clause: string): Generator<Value> {
  for (const match of clause.matchAll(PERIOD)) {
    const said = (match[1] ?? match[2] ?? match[3] ?? '').toLowerCase();
    yield { type: 'period', value: PERIODS[said] ?? said, bound: '', start: match.index, end: match.index + match[0].length };
  }
}

function* numbers(clause: string): Generator<Value> {
  for (const match of clause.matchAll(NUMBER)) {
    const digits = (match[1] as string).replaceAll(/[,_]/g, '');
    const bound = boundBefore(
      clause.slice(Math.max(0, match.index - 24), match.index),
      clause.slice(match.index + match[0].length, match.index + match[0].length + 16),
    );
    const unit = match[2] ?? '';
    const kind = UNITS.find(([, shape]) => shape.test(unit))?.[0];
    const named = kind ?? (digits.includes(':') ? 'clock' : nounOf(clause.slice(Math.max(0, match.index - 48), match.index), unit));
    const end = match.index + match[0].length - (kind || !unit ? 0 : unit.length);
    if (named) yield { type: named, bound, value: kind ? `${digits} ${unit.toLowerCase().charAt(0)}` : digits, start: match.index, end };
  }
}

function boundBefore(before: string, after: string): Value['bound'] {
  if (/(?:at least|no less than|min\w*(?: of)?|above|over|more than|>=?|≥|至少|最少|不少于|不低于|高于)\s*$/i.test(before)) return 'least';
  if (
    /(?:at most|no more than|not exceed\w*|max\w*(?: of)?|below|under|less than|within|up to|<=?|≤|不超过|至多|最多|低于|小于|上限是?|控制在)\s*$/i.test(
      before,
    ) ||
    /^\s*(?:at most|max|tops|or less|以内|以下|之内)/i.test(after)
  )
    return 'most';
  return '';
}

/** What a number without a unit is a number of: the word before ("port 8080", "端口改成 9090"), else the one behind it ("3 retries", "3 次"). */
function nounOf(before: string, behind: string): string | undefined {
  const word =
    /([A-Za-z][\w-]*)(?:\s+(?:number|to|is|of|at|be|should|must|=|:|instead|back|now))*\s*[=:]?\s*$/i.exec(before)?.[1] ??
    /([\u4e00-\u9fff]{2})(?:还是|就|改|用|成|为|是|到|回|设|定|换|调|提|降|从|应该|不超过|最多|至多|至少|控制在|上限)*\s*$/.exec(before)?.[1];
  if (
    word &&
    /^(?:port|version|node|java|python|python3|postgres|android|ios|php|ruby|limit|retries|level|size|count|width|height|depth|concurrency|workers|threads|replicas|shards|seed|quality|端口|版本|并发|重试|线程|副本)$/i.test(
      word,
    )
  )
    return `set ${word.toLowerCase()}`;
  return behind ? behind.toLowerCase().replace(/(?:ies|s)$/, '') : undefined;
}

function* names(clause: string): Generator<Value> {
  for (const match of clause.matchAll(WORD)) {
    const known = alternativeOf(match[0]);
    if (known) yield { ...known, bound: '', start: match.index, end: match.index + match[0].length };
  }
}
