import type { ShellCheck } from '#context/shell/checks.ts';
import { isLogged, resultsIn, sizesIn, timeIn } from './result-lines.ts';

/** So many figures of one run are kept, the last ones: totals stand at the end. */
const FIGURES_MAX = 12;
/** Longer lines are told by their counts only. In UTF-16 units. */
const MEASURED_MAX = 200;
const COUNTED_MAX = 160;

/** How a run counts what passed and what did not. */
const COUNTS: readonly RegExp[] = [
  /\b\d+(?:,\d{3})* (?:(?:tests?|specs?|examples?|assertions?|scenarios?|steps?|checks?|fixable|previous) )?(?:passed|failed|passing|failing|pending|skipped|pass|fail|failures?|errors?|warnings?|problems?|todo|flaky|ignored|xfailed|xpassed|examples?|total|deselected|undefined|broken|vulnerabilities|did not run|ok|checks|assertions)\b(?! (?:in|on) (?:line|file)\b)/i,
  /\b(?:Tests run|Failures|Errors|Skipped|Passed|Failed|Incomplete|Assertions): *\d+/,
  /(?<=^[#ℹ] )(?:pass|fail) \d+/,
  /\b\d+% tests passed, \d+ tests failed out of \d+/,
  /\b(?:failures|errors|skipped)=\d+/,
  /^Ran \d+ tests? in [\d.]+s/,
  /\bAll (?:\d+ )?tests passed\b|^\d\d:\d\d \+\d+(?: ~\d+)?(?: -\d+)?: (?:All tests passed|Some tests failed)|\bBuilt \S+ \([\d.]+ ?[KMG]B\)/,
  /\b\d+ (?:\w+ )?(?:match|agree)\b/,
  /\b\d+ (?:of|out of) \d+ [\w -]{0,40}\b(?:passed|failed|succeeded|completed|match(?:ed)?)\b/,
  /(?:\b[A-Z]{2,}=\d+\b[ ,]*){2,}/,
  /\bBUILD (?:SUCCESSFUL|SUCCESS|FAILED|FAILURE)\b/,
  /\bPlan: \d+ to add, \d+ to change, \d+ to destroy/,
  /\bNo changes\. Your infrastructure matches\b|\bSuccess! The configuration is valid\b/,
  /\bSuccess: no issues found\b|\bAll checks passed!|\bNo issues found\b/,
  /\bHTTP\/[\d.]+ \d{3}(?: [A-Z][\w ]{0,30})?/,
  /\b(?:coverage|cov)\b[^\d\n]{0,20}\d+(?:\.\d+)? ?%/i,
  /^TOTAL\s.*\d+(?:\.\d+)?%$|^All files\s*\|.*$/,
  /(?:通过|失败|跳过|报错|错误|警告|成功)(?:率|数)?\s*[:：]?\s*\d+(?:\.\d+)?%?(?:\s*[个项条例])?|\d+\s*[个项条例]?\s*(?:测试|用例)?\s*(?:全部)?(?:通过|失败|跳过|报错|错误|警告)|(?:测试)?全部通过|(?:构建|编译|测试|部署|迁移)(?:成功|失败)|覆盖率\s*[:：]?\s*\d+(?:\.\d+)?\s*%/,
];

const EACH_COUNT = COUNTS.map((pattern) => new RegExp(pattern, `${pattern.flags}g`));

/** How a run measures. */
const MEASURES: readonly RegExp[] = [
  /\bp\d{2,3}(?:\.\d+)?\b *[:=|]? *[<~]?\d[\d.,]* ?(?:ms|s|µs|us|ns)?/i,
  /\d[\d.,]* ?(?:ops|reqs?|requests|rows|msgs?|messages|records|tokens|[KMG]i?B|it|iterations?|frames)\/s(?:ec)?\b/i,
  /\bRequests\/sec: *[\d.]+|\bTransfer\/sec: *[\d.]+\w*|\btps = [\d.]+/,
  /\d[\d.,]* +(?:ns|µs|ms|B|allocs)\/op\b/,
  /\bTime \(mean ± σ\): *[\d.]+ m?s ± *[\d.]+ m?s/,
  /\btime: *\[[^\]]+\]/,
  /\b[\d.]+(?: ± [\d.]+)? times faster than\b/,
  /\b\d+(?:\.\d+)? ?[x×](?: (?:faster|slower|speed-?up))?(?=[\s,.;)]|$)/,
  /\b(?:mean|avg|average|median|min|max|total|elapsed|latency|throughput|duration|took|time|wall|real|rss|memory|accuracy|acc|loss|f1|auc|rmse|mae|size|speed-?up)\b *(?:time)? *[:=]? *~?\d[\d.,]* ?(?:ms|s|sec|seconds|us|µs|ns|min|%|[KMG]i?B|kB|x)?(?=[\s,;)|]|$)/i,
  /(?:平均|耗时|延迟|吞吐|中位数|最大|最小|内存|准确率|提升|加速)\s*(?:时间|量|值|比)?\s*[:：]?\s*\d[\d.,]*\s*(?:ms|s|毫秒|秒|%|倍|[KMG]B)?/,
];

/** A line without what is drawn around it. */
const plain = (line: string): string => line.replace(/^[\s=─━*#|>-]+|[\s=─━*#|-]+$/g, '').replace(/\s+/g, ' ');

/** Totals follow: of a class that passed, of a crate without tests. */
const OF_A_PART = /^\[INFO\] Tests run:.*(?:Time elapsed| in )|\b0 passed; 0 failed;|^ok .*\(cached\)/;

/** What counts all that was run. */
const TOTALS =
  /\b\d+ (?:of|out of) \d+ |(?:\b[A-Z]{2,}=\d+\b[ ,]*){2,}|\b\d+ (?:tests? )?(?:passed|failed|errors?|skipped)\b.*\b\d+ (?:tests? )?(?:passed|failed|errors?|errored|skipped)\b/;
/** Where nothing else counts, the totals that stand last in a log do. */
const loggedTotal = (lines: readonly string[]): string[] => lines.filter((line) => line.length <= COUNTED_MAX && isLogged(line) && TOTALS.test(line)).slice(-1);

/**
 * The figures of an output that say how it went, as they stand there; of a measurement the line, which says what was measured. What counts nothing in a
 * known way is told by the results at its end. Lines as linesOf makes them.
 */
export function figuresOf(lines: readonly string[], { kind, program, foreign }: Pick<ShellCheck, 'kind' | 'program' | 'foreign'>): string[] {
  const counted = knownFigures(lines, kind);
  const known = counted.length ? counted : loggedTotal(lines).map(plain);
  const results = kind === 'build' ? sizesIn(lines) : program || !known.length ? resultsIn(lines, program && !foreign && !known.length) : [];
  const time = foreign ? [] : timeIn(lines);
  const found = [...known];
  for (const line of [...results, ...time].map(plain)) if (!found.some((one) => one.includes(line))) found.push(line);
  return found.slice(-FIGURES_MAX);
}

function knownFigures(lines: readonly string[], kind: ShellCheck['kind']): string[] {
  const measures = kind === 'bench' || kind === 'run';
  const cases = lines.some((line) => /^\s*Tests:?\s+\d/.test(line));
  const found = new Set<string>();
  const named = new Map<string, string>();
  for (const line of lines) {
    if (!/\d|BUILD|No |All |OK|Success|通过|成功|失败/.test(line) || (cases && /^\s*Test (?:Files|Suites):?\s/.test(line))) continue;
    const measured = measures && line.length <= MEASURED_MAX && !isLogged(line) && MEASURES.some((pattern) => pattern.test(line));
    for (const text of measured ? [plain(line)] : countsIn(line)) {
      // What is told again is told where it stands last.
      found.delete(text);
      if (measured) found.delete(replaced(named, text));
      found.add(text);
    }
  }
  return [...found];
}

/** A measurement that was repeated is told by its last figures. */
function replaced(named: Map<string, string>, text: string): string {
  const name = /^\S*[A-Za-z]\S*(?= .*\d)/.exec(text)?.[0] ?? text;
  const before = named.get(name) ?? '';
  named.set(name, text);
  return /^Benchmark/.test(name) ? before : '';
}

function countsIn(line: string): string[] {
  if (isLogged(line) || !COUNTING.test(line) || !COUNTS.some((pattern) => pattern.test(line))) return [];
  // The line says what is counted, and how the counts belong together.
  if (line.length <= COUNTED_MAX) return OF_A_PART.test(line) ? [] : [plain(line)];
  const here = EACH_COUNT.flatMap((pattern) => [...line.matchAll(pattern)].map((match) => ({ at: match.index, text: match[0].trim() })));
  return here
    .toSorted((a, b) => a.at - b.at)
    .filter((one, at, all) => !all.some((other, index) => index !== at && covers(other, one)))
    .map(({ text }) => text);
}

/** One of these stands in every line that counts: most lines hold none. */
const COUNTING =
  /pass|fail|pend|skip|error|warn|problem|todo|flaky|ignored|example|total|deselect|undefined|broken|vulnerab|did not run|\bok\b|checks|assertions|tests|incomplete|match|agree|BUILD|Built|Plan:|No |Success|HTTP|cov|TOTAL|All files|通过|失败|跳过|报错|错误|警告|成功|覆盖率/i;

interface Found {
  at: number;
  text: string;
}

const covers = (outer: Found, inner: Found): boolean =>
  outer.at <= inner.at && outer.at + outer.text.length >= inner.at + inner.text.length && outer.text.length > inner.text.length;
