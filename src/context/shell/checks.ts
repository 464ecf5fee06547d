import { mayTell } from './aside.ts';
import { type CheckKind, kindOf, kindOfName } from './check-kinds.ts';
import type { ShellCommand } from './commands.ts';
import { toolOf } from './runners.ts';

export type { CheckKind };

/** A command that checks something: tests, builds, types, style, speed, a plan, or a program that is run. */
export interface ShellCheck {
  kind: CheckKind;
  /** Two commands with one key run the same check. */
  key: string;
  /** the key of the whole check that this is a selection of; undefined: it is the whole */
  within?: string;
  /** a program of the project's own: whether its run is a check only its output can tell */
  program: boolean;
  /** a tool that is not known to check anything, a query, a script on the command line: it counts where it tells figures */
  foreign?: true;
}

/** What kind of check a command is; undefined: none. */
export function checkOf({ words, cwd = '', input }: ShellCommand): ShellCheck | undefined {
  const [tool = '', ...args] = toolOf(words);
  if (args.some((word) => /^(?:--version|-V|--help|-h|--init|--list|--listTests|--collect-only|--showConfig)$/.test(word))) return undefined;
  const script = scriptOf(tool, args);
  if (script) return checked(kindOfName(script.name), ['run', script.name], script.args, cwd);
  const kind = kindOf(tool, args);
  if (kind) return checked(kind, [tool], args, cwd);
  const program = programOf(tool, words, args);
  const told = (name: string, ...more: string[]): ShellCheck => ({
    kind: /bench|perf|load/i.test(name) ? 'bench' : 'run',
    key: [name, ...args, ...more].join(' ').concat(`@${cwd}`),
    program: true,
  });
  if (program !== undefined) return told(program);
  return mayTell(tool, args) ? { ...told(tool, input ?? ''), foreign: true } : undefined;
}

const MANAGERS = /^(?:npm|pnpm|yarn|bun)$/;
/** What these call themselves, and no script of the project. */
const OWN_VERBS =
  /^(?:i|install|ci|add|remove|rm|uninstall|update|up|upgrade|init|create|publish|pack|link|unlink|ls|list|why|view|info|audit|outdated|config|cache|login|exec|dlx|x|pm|version|prune|dedupe|set|import|fund|search|help|root|bin|store|rebuild|approve-builds|workspaces)$/;
const MANAGER_VALUES = /^(?:--filter|-F|--prefix|-C|--dir|--cwd|-w|--workspace)$/;

/** The script of a manifest that a package manager is told to run. Which manager does it makes no difference. */
function scriptOf(tool: string, args: readonly string[]): { name: string; args: string[] } | undefined {
  if (!MANAGERS.test(tool)) return undefined;
  const where: string[] = [];
  let at = 0;
  for (; args[at]?.startsWith('-') || args[at] === 'workspace'; at++) {
    where.push(args[at] as string);
    if (MANAGER_VALUES.test(args[at] as string) || args[at] === 'workspace') where.push(args[++at] ?? '');
  }
  if (args[at] === 'run' || args[at] === 'run-script') at++;
  else if (OWN_VERBS.test(args[at] ?? '')) return undefined;
  while (/^(?:-s|--silent|--if-present)$/.test(args[at] ?? '')) at++;
  const name = args[at] === 't' ? 'test' : args[at];
  if (name === undefined) return undefined;
  return { name, args: [...where, ...args.slice(at + 1).filter((word) => word !== '--')] };
}

/** How a check is shown, not what it checks; -j4, -v, -q and the like are short for that. */
const SHOWING =
  /^(?:--?(?:reporters?|verbose|quiet|silent|colors?|no-color|ci|bail|watch|watchAll|run|pretty|tb|maxfail|forceExit|coverage|cov|cov-report|no-cov|no-cache|cache|passWithNoTests|stacktrace|info|daemon|no-daemon|console|jobs|parallel|workers|maxWorkers|message-format|format|output-format|no-header|no-summary|durations|detectOpenHandles|runInBand|nocapture|show-output|fail-fast|no-fail-fast|count|timeout|testTimeout|logHeapUsage|if-present|no-pager|noEmit|incremental|write|fix|unsafe|progress|offline|locked|frozen|all|workspace|all-features|all-targets|release|json|outputFile|output-on-failure|no-interaction|batch-mode|retries|failed-first|ff|lf|exitfirst|disable-warnings|plain|rerun-tasks)(?:=.*)?|-[vqsxBjcUl]+|-j\d+|-n\d*|-ra|-rA|-r[a-zA-Z]|-p|no:\w+|--|\d+)$/;
/** Options whose value is shown with them. */
const SHOWING_VALUE =
  /^(?:--(?:reporter|tb|maxfail|cov-report|cov|workers|maxWorkers|message-format|format|output-format|testTimeout|timeout|retries|durations|outputFile)|-j|-n)$/;
/** Options that select, with their value in the same word or the next. */
const SELECTING =
  /^(?:-k|-t|-m|-g|-R|-e|-run|--grep|--filter|--tests|--test|--testNamePattern|--testPathPattern|--testPathPatterns|--project|--only|--package|--bin|--lib|-Dtest=.*|-F|-w)$/;
/** The whole of a suite, in other words. */
const ROOT = /^(?:\.\/)?(?:tests?|specs?|__tests__|src|\.|\.\.\.|e2e)?\/?$|^\.\/\.\.\.$/;

function checked(kind: CheckKind, head: readonly string[], args: readonly string[], cwd: string): ShellCheck {
  const tool = head[0] as string;
  const fixed: string[] = [];
  const selected: string[] = [];
  let verb = head.length > 1;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string;
    if (SHOWING_VALUE.test(word) && !args[at + 1]?.startsWith('-')) at++;
    else if (SELECTING.test(word)) {
      selected.push(word);
      if (!word.includes('=') && args[at + 1] !== undefined) selected.push(args[++at] as string);
    } else if (SHOWING.test(word)) continue;
    else if (word.startsWith('-')) fixed.push(word);
    else if (GOALS.test(tool) || (!verb && TAKES_VERB.test(tool))) {
      verb = true;
      if (!IMPLIED.test(word)) fixed.push(word);
    } else if (!ROOT.test(word)) selected.push(word);
  }
  const whole = [kind, ...head, ...fixed].join(' ').concat(`@${cwd}`);
  return { kind, key: [whole, ...selected].join(' '), ...(selected.length ? { within: whole } : {}), program: false };
}

/** Tools whose first word says what they do. */
const TAKES_VERB =
  /^(?:vitest|go|cargo|dotnet|bazel|swift|flutter|dart|mix|zig|rails|deno|biome|ruff|vite|next|ng|docker|docker-compose|idf\.py|pio|platformio|dbt|terraform|tofu|kubectl|helm|alembic|prisma|playwright|cypress|xcodebuild)$/;
/** Tools all of whose words say what they do. */
const GOALS = /^(?:make|gmake|just|task|rake|gradle|mvn|sbt|turbo)$/;
/** `vitest` and `vitest run` are one. */
const IMPLIED = /^run$/;

/** A program of the project that is run by its path. */
function programOf(tool: string, words: readonly string[], args: readonly string[]): string | undefined {
  if (/^(?:node|tsx|ts-node|deno|bun|python[\d.]*|ruby|php|bash|sh|java|Rscript)$/.test(tool))
    return args.find((word) => /\.\w{1,4}$/.test(word) && !word.startsWith('-'));
  const path = words[0] ?? '';
  return /^\.{0,2}\/?(?:[\w.-]+\/)+[\w.-]+$/.test(path) && !path.startsWith('/usr') && !path.startsWith('/bin') ? path : undefined;
}
