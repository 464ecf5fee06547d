/** The hooks of git that relay takes part in. */
export const EVENTS = ['prepare-commit-msg', 'post-commit', 'post-rewrite', 'pre-push'] as const;
export type GitEvent = (typeof EVENTS)[number];

const NOTE = '# relay ("relay hooks uninstall" takes this out)\n';

const FIND = 'relay=${GIT_DIR:-.git}';
const COMMON = '[ ! -f "$relay/commondir" ] || relay=$relay/../..';
const REBASING = '[ -d "$relay/rebase-merge" ] || [ -d "$relay/rebase-apply" ]';
/** What git makes anew in a rebase keeps its message, and post-rewrite tells of it. */
const NOT_IN_REBASE: readonly GitEvent[] = ['prepare-commit-msg', 'post-commit'];

/** It is read by the shell that runs anyway: another one would double what a hook costs. */
const shim = (event: GitEvent, args: string): string => `set -- ${event} ${args}; . "$relay/hooks/relay.sh"`;

/**
 * Finds the shim of this clone and calls it. The same text in every clone, now and later, and silent where relay is not installed: it may stand in
 * files that a team shares. Where `.git` is no folder git sets GIT_DIR.
 * @param args what hands on git's arguments
 */
function call(event: GitEvent, args: string): string {
  const run = `${COMMON}; [ ! -f "$relay/hooks/relay.sh" ] || (${shim(event, args)}) || :`;
  return NOT_IN_REBASE.includes(event) ? `${FIND}; ${REBASING} || { ${run}; }` : `${FIND}; ${run}`;
}

/** The lines for a file that a shell runs. What follows them finds its arguments and, after post-rewrite, its input as they were. */
export function shellLines(event: GitEvent): string {
  if (event !== 'post-rewrite') return `${NOTE}${call(event, '"$@"')}\n`;
  const read = `if [ -f "$relay/hooks/relay.sh" ]; then relay=$(${shim(event, '"$@"')}) || :; exec <<relay; fi`;
  return `${NOTE}${FIND}; ${COMMON}\n${read}\n$relay\nrelay\n`;
}

/**
 * The lines for a file that stands in the place of another hook, which it calls with git's arguments. Sessions go along with a push only when that hook has let it pass.
 * @param hook path of it, as a word of the shell
 */
export const chainedLines = (event: GitEvent, hook: string): string =>
  event === 'pre-push' ? `[ ! -x ${hook} ] || ${hook} "$@" || exit\n${shellLines(event)}` : `${shellLines(event)}[ ! -x ${hook} ] || exec ${hook} "$@"\n`;

const inConfig = (value: string): string => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Sections for git's own settings (Git 2.54 and newer). It puts "$@" behind the command, hence the colon at its end. */
export const configText = (events: readonly GitEvent[]): string =>
  `${NOTE}${events
    .map((event) => `[hook "relay-${event}"]\n\tevent = ${event}\n\tcommand = ${inConfig(`exec >/dev/null; ${call(event, '"$@"')}; :`)}\n`)
    .join('')}`;

/**
 * Settings that have git look for hooks in relay's folder, as long as the clone lies where it lies now: a copy or a clone that was moved goes back to its own
 * hooks. Under another name than core.hooksPath, since hook managers read that in the clone's own file.
 */
export function includeText(commonDir: string): string {
  const exactly = commonDir.replace(/[*?[\\]/g, '\\$&');
  const section = (gitDir: string): string => `[includeIf ${inConfig(`gitdir:${gitDir}`)}]\n\tpath = hooks/relay.config\n`;
  return `${NOTE}${section(exactly)}${section(`${exactly}/worktrees/`)}`;
}
export const hooksPathText = (folder: string): string => `[core]\n\thooksPath = ${inConfig(folder)}\n`;

/** Jobs for lefthook-local.yml. `{1}` is git's first argument. */
export const lefthookText = (events: readonly GitEvent[]): string =>
  `${NOTE}${events
    .map((event) => {
      const stdin = event === 'post-rewrite' ? '      use_stdin: true\n' : '';
      return `${event}:\n  jobs:\n    - name: relay\n${stdin}      run: |\n        exec >/dev/null; ${call(event, event === 'prepare-commit-msg' ? '"{1}" "{2}"' : '"{1}"')}\n`;
    })
    .join('')}`;
