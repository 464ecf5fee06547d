import type { CheckKind } from '#context/shell/check-kinds.ts';
import type { ShellCheck } from '#context/shell/checks.ts';
import type { ShellCommand } from '#context/shell/commands.ts';
import type { Outcome } from '#session/action.ts';
import { linesOf } from './output.ts';
import type { Check } from './value.ts';

type Result = Check['result'];

const FAILS =
  /\b[1-9]\d* (?:(?:tests?|specs?|examples?|checks?) )?(?:failed|failing|fail|failures?|errors?|broken)\b|\b(?:Failures|Errors|Failed): *[1-9]|\b(?:failures|errors)=[1-9]|^[#ℹ] fail [1-9]|^(?:FAILED|FAIL)\b|--- FAIL|\bBUILD FAIL|\bnpm (?:ERR!|error)|\berror(?: TS\d+|\[E\d+\])?:|^Traceback \(most|^panic: |^thread '.*' panicked|^not ok \d|^\w*(?:Error|Exception): |\bELIFECYCLE\b|\bCommand failed\b|\bcommand not found\b|\bSegmentation fault\b|^fatal: |\bHTTP\/[\d.]+ [45]\d\d|(?:构建|编译|测试|部署|迁移)失败|失败[数]?\s*[:：]?\s*[1-9]|[1-9]\d*\s*[个项条例]?\s*(?:测试|用例)?\s*失败/;
const PASSES =
  /\b\d+ (?:(?:tests?|specs?|examples?) )?(?:passed|passing|pass)\b|\b\d+ examples?, 0 failures|\bBUILD SUCCESS|^ok\s|^OK\b|\b0 (?:errors|problems|failures)\b|\b[Aa]ll checks passed|\bno issues found|\btest result: ok|\bbuilt in \d|\bFinished\b|\bcompiled successfully\b|\b[Bb]uild complete\b|✓ Built\b|\bCompiled successfully\b|^[#ℹ] fail 0|\b100% tests passed|\bSuccess!|\bHTTP\/[\d.]+ 2\d\d|全部通过|(?:构建|编译|测试|部署|迁移)成功|通过\s*[:：]?\s*\d+|\d+\s*[个项条]?\s*(?:测试|用例)?\s*(?:全部)?通过/;
const COUNTED_FAILURES = /(?<![\d.])[1-9]\d* (?:(?:tests?|checks?|requests?) )?(?:failed|failing|failures?)\b|失败\s*[:：]?\s*[1-9]/;
/** One of these stands in every line that tells how it went. */
const TELLING =
  /fail|err|broken|ERR|Traceback|panic|not ok|Exception|ELIFECYCLE|not found|Segm|HTTP|pass|ok\b|OK|examples|SUCCESS|0 |no issues|ucce|built|Finished|omplete|Built|构建|编译|测试|部署|迁移|失败|通过/;
/** An empty run shows nothing. */
const EMPTY = /\bno tests? (?:files? )?(?:found|ran|to run)\b|\bcollected 0 items\b|\bNo test suites found\b|^Ran 0 tests|没有找到测试/i;
const EXIT = /(?:exit(?: ?code)?|status|\brc|\bcode|退出码)\W{0,8}(\d{1,3})\W*$/i;

/**
 * What a run of a check shows. An exit code counts where it is the check's own; behind a pipe the words of the output do, where several checks
 * share it (`shared`) those of its own kind.
 */
export function verdictOf(command: ShellCommand, outcome: Outcome, { kind, program }: ShellCheck, shared: boolean): Result {
  const { state, output } = outcome;
  if (state === 'running') return 'running';
  if (state !== 'done' && state !== 'failed') return 'unknown';
  const lines = linesOf(output);
  // curl is content with any answer.
  if (lines.some((line) => /^HTTP\/[\d.]+ [45]\d\d/.test(line))) return 'failed';
  // A script of the project's own may count failures and be content with them.
  if (program && lines.some((line) => COUNTED_FAILURES.test(line))) return 'failed';
  if (state === 'done' && command.decides && !command.perhaps)
    return lines.some((line) => EMPTY.test(line)) && !lines.some((line) => PASSES.test(line)) ? 'unknown' : 'passed';
  if (state === 'failed' && command.last && !command.after.some((words) => words[0] !== 'cd')) return 'failed';
  if (shared) return lines.some((line) => OWN_FAILURE[kind].test(line)) ? 'failed' : 'unknown';
  return printedExit(lines) ?? byWords(lines);
}

/** `echo "exit: $?"` after a pipe. */
function printedExit(lines: readonly string[]): Result | undefined {
  for (const line of lines.slice(-3).toReversed()) {
    const code = EXIT.exec(line)?.[1];
    if (code !== undefined) return Number(code) === 0 ? 'passed' : 'failed';
  }
  return undefined;
}

function byWords(lines: readonly string[]): Result {
  if (lines.some((line) => TELLING.test(line) && FAILS.test(line))) return 'failed';
  return lines.some((line) => TELLING.test(line) && PASSES.test(line)) && !lines.some((line) => EMPTY.test(line)) ? 'passed' : 'unknown';
}

const OWN_FAILURE: Record<CheckKind, RegExp> = {
  types: /\berror TS\d|: error:|\bFound [1-9]\d* errors?/,
  lint: /✖|\b[1-9]\d* (?:problems?|errors?|warnings?)\b|\bFound [1-9]/,
  test: /\bFAIL|\b[1-9]\d* (?:failed|failing|failures?)\b|^not ok/,
  build: /\berror\b|\bBUILD FAIL|失败/i,
  bench: /\berror\b/i,
  plan: /\bError:/,
  run: /\b[Ee]rror\b|\bException\b/,
};

/** Of checks joined by && the one that failed: those before it passed, those after it did not run. */
export function failedOf(kinds: readonly CheckKind[], output: string): number {
  const lines = linesOf(output);
  const at = kinds.findIndex((kind) => lines.some((line) => OWN_FAILURE[kind].test(line)));
  return at < 0 ? kinds.length - 1 : at;
}
