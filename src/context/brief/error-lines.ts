/** An error as an output states it. */
export interface Stated {
  /** As it stands there, without what is drawn around it: what failed, and why where that stands apart. */
  quotes: string[];
  /** the same for the same error in another run: without figures that change */
  signature: string;
}

/** Of one output so many errors are told. */
const ERRORS_MAX = 8;
/** In UTF-16 units; the beginning of an error says what it is. */
const TEXT_MAX = 400;
/** An exception so many lines below the name of a test is why that test failed. */
const NEAR = 8;
const DETAILS_MAX = 2;

/** Names of tests that failed. */
const TEST =
  /^\s*(?:FAIL|FAILED|ERROR) +(?!\()(?=\S*[./:])\S.*|^\s*--- FAIL: \S+.*|^test \S+ \.\.\. FAILED|^\s*● .+ › .+|^\s*[×✗✘✖] (?!\d+ (?:problems?|errors?|warnings?)).+|^\s*not ok \d+ - .+|^(?:FAIL|ERROR): \S+ \(.+\)|^\s*Failed \S+ \[[<\d].*|^\s*\d+ - \S+ \((?:Failed|Timeout)\)|^\[ERROR\]\s+\w[\w.]*\.\w+:\d+\b.*|^\S+ > \S+.* FAILED$|^\d\d:\d\d \+\d.* \[E\]$|^\[ +FAILED +\] \w+\.\S+/;
/** What went wrong: exceptions, what compilers and programs say. */
const FAULT =
  /^\s*(?:Uncaught |Unhandled |Caused by: |Exception in thread "[^"]*" |E {2,})?(?:[\w$]+\.)*\w*(?:Error|Exception|Panic|Failure)(?: \[\w+\])?: \S.*|^(?:\w+\.)+\w*(?:Error|Exception)$|^E {2,}assert .+|^\S+:\d+: DID NOT RAISE.*|^panic: .+|^thread '.+' (?:\(\d+\) )?panicked at .+|^\s*(?:error|fatal|fatal error|ERROR)(?:\[\w+\])?: \S.*|^\S+\(\d+,\d+\): error .+|^\S+:\d+:\d+ - error .+|^(?:vet: )?\.{0,2}[\w@/.\\-]+\.\w{1,5}:\d+(?::\d+)?: (?!note:|warning:|\d)\S.*|^(?:[\w./-]+: )*(?:line \d+: )?\S.*: (?:command not found|No such file or directory|no such file or directory|Permission denied|not found)$|^npm (?:ERR!|error) (?!A complete log|\s*at |path |errno |syscall )(?:Missing|Could|Cannot|code|peer|ERESOLVE|404|Lifecycle).*|^ERROR:? .*\S|^\[ERROR\] (?!Failures?:|Errors?:|Tests run|->|To see|Re-run|For more|Failed to execute|\[Help|$)\S.*|^WARNING: DATA RACE|^ ! \[(?:remote )?rejected\] .*|^\S*OOMKilled\b.*|^(?:psql:\S+ )?ERROR: {2}.*|^ok? ?错误[:：].*|^.{0,40}(?:报错|错误|异常)[:：]\s*\S.*/;
/** Words of a result that name no error of their own. */
const SUMMARY =
  /^(?:error: (?:test failed|could not compile|aborting due to|process didn't exit)|ERROR: \d+ |error Command failed|npm (?:ERR!|error) code (?:ELIFECYCLE|1$)|make(?:\[\d+\])?: |Error: Process completed)/;
/** pytest names the place and the kind once more; the error itself stands elsewhere. */
const BARE = /^\S+:\d+: \w*(?:Error|Exception)$/;
/** What stands below the name of a test or below `Error: …`, and says more: what was got and what was wanted, a sentence. */
const DETAIL =
  /^\s+[\w./-]+\.\w{1,5}:\d+: \S.*|^\s*(?:Expected|Actual|Received|Which|expected|actual|got|want):? .+|^(?:An?|The|This|Invalid|No|Missing|Unable|Could|Failed) [^:]{10,}[.!?](?: .*)?$|^\s*\S.{0,80}\b(?:failed|denied|refused|timed out|exceeded)\b[^:]{0,60}: \S.*/;
const MAYBE = /\[E\]|err|fail|panic|exception|×|✗|✘|✖|●|not |no such|denied|RACE|reject|OOM|FAIL|错误|报错|异常|:\d+:/i;

/** The errors that an output names, each once, in order. Lines as linesOf makes them. */
export function errorsIn(drawn: readonly string[]): { errors: Stated[]; more: number } {
  const lines = drawn.map((line) => line.replace(/^[│┃╷╵╎] ?/, ''));
  const found: { text: string; test: boolean; at: number }[] = [];
  lines.forEach((line, at) => {
    const last = found.at(-1);
    const open = last && (last.test || /^Error: /.test(last.text)) && at - last.at <= NEAR && last.text.split('\n').length <= DETAILS_MAX ? last : undefined;
    if (!(MAYBE.test(line) || open)) return;
    const test = TEST.test(line);
    const fault = FAULT.test(line) && !SUMMARY.test(line) && !BARE.test(line);
    if (!test && !fault && !(open && DETAIL.test(line))) return;
    const text = trimmed(line);
    if (!test && open && (open.test || !fault) && !open.text.includes(reason(text))) open.text += `\n${located(text, lines, at)}`;
    else if (!found.some((one) => one.text.includes(reason(text)))) found.push({ text: test ? text : located(text, lines, at), test, at });
  });
  const kept = told(found);
  return { errors: kept.slice(0, ERRORS_MAX), more: Math.max(0, kept.length - ERRORS_MAX) };
}

/** A summary names the test and the reason together: that says more than either. */
function told(found: readonly { text: string; test: boolean }[]): Stated[] {
  const bySignature = new Map<string, Stated>();
  const faults = found.filter(({ test }) => !test);
  for (const { text, test } of found) {
    if (!test && found.some((other) => other.test && (other.text.includes(reason(text)) || endsWithKind(other.text, text)))) continue;
    const detail = test ? faults.find((fault) => endsWithKind(text, fault.text)) : undefined;
    const stated = { quotes: [...text.split('\n'), ...(detail ? [reason(detail.text)] : [])], signature: signatureOf(text) };
    if (!bySignature.has(stated.signature)) bySignature.set(stated.signature, stated);
  }
  return [...bySignature.values()];
}

/** `FAILED test_a.py::test_x - NameError`, which stands with its message above. */
const endsWithKind = (test: string, fault: string): boolean =>
  / - \w*(?:Error|Exception)$/.test(test) && fault.startsWith(`${test.slice(test.lastIndexOf(' ') + 1)}: `);

const trimmed = (line: string): string =>
  line
    .trim()
    .replace(/^E {2,}/, '')
    .slice(0, TEXT_MAX);
/** What is said of an error, without its own name: `assert -1 == 3` in `AssertionError: assert -1 == 3`. */
const reason = (text: string): string => text.replace(/^(?:[\w$]+\.)*\w*(?:Error|Exception): /, '');
const signatureOf = (text: string): string => (text.split('\n', 1)[0] as string).replace(/\(\d[\d.]* ?m?s\)|\[\d[\d.<]* ?m?s\]/g, '').replace(/\d+/g, '0');

/** rustc names the place in the next line, Rust's panic the reason. */
function located(text: string, lines: readonly string[], at: number): string {
  const next = lines[at + 1]?.trim() ?? '';
  if (/^error(?:\[\w+\])?: /.test(text) && next.startsWith('--> ')) return `${text}\n${next.slice(4)}`;
  return text.startsWith("thread '") && next && text.endsWith(':') ? `${text}\n${next}` : text;
}
