import { relative } from 'node:path';
import { unheeded } from '#flows/accepted.ts';
import { surroundings, workspace } from '#flows/context.ts';
import { needRepository, type Workspace } from '#flows/workspace.ts';
import type { Repository } from '#git/repository.ts';
import { takenFromOthers } from '#hooks/git/for-others.ts';
import { type GitHooks, gitHooksState, installGitHooks, type TakenOut, uninstallGitHooks } from '#hooks/git/index.ts';
import { shimFault } from '#hooks/git/own-files.ts';
import { type HookPlace, hookPlaceOf } from '#hooks/git/place.ts';
import type { HookState } from '#hooks/git/states.ts';
import { ask } from '#io/ask.ts';
import { type Io, printJson } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { count, safeLine } from '#report/index.ts';

export interface HooksOptions {
  json?: boolean;
  agent?: string;
  prePush?: boolean;
  yes?: boolean;
}

/** relay hooks install | uninstall | status */
export async function hooks(io: Io, action: 'install' | 'uninstall' | 'status', options: HooksOptions): Promise<number> {
  if (options.agent !== undefined) return (await import('./agent-hooks.ts')).agentHooks(io, action, options.agent, options);
  if (action === 'uninstall') return uninstall(io, options);
  const ws = await workspace(io);
  const place = hookPlaceOf(ws, io.program);
  if (action === 'install') return install(io, ws, place, options);
  const state = await gitHooksState(place);
  if (options.json) printJson(io, shown(state));
  else io.stdout.write(`${stateText(state)}${trailerText(ws, state)}`);
  return 0;
}

const shown = (state: GitHooks) => ({ git: state });

async function install(io: Io, ws: Workspace, place: HookPlace, options: HooksOptions): Promise<number> {
  const allow = (paths: string[]): Promise<void> => consent(io, place, paths, options);
  if (!options.json) for (const note of unheeded(ws, /^link\./)) io.stderr.write(`note: ${note}\n`);
  const state = await installGitHooks(place, { prePush: Boolean(options.prePush), allow });
  if (options.json) printJson(io, shown(state));
  else io.stdout.write(`${stateText(state)}${followsText(state)}`);
  return 0;
}

/** lefthook's settings that each has for oneself. */
const OWN_LEFTHOOK = /\/\.?lefthook-local\.ya?ml$/;

/** Files of the project, or of all repositories of a user, are not changed unasked. */
async function consent(io: Io, { repository }: HookPlace, paths: string[], options: HooksOptions): Promise<void> {
  if (options.yes) return;
  const named = paths.map((path) => relative(io.cwd, path)).join(', ');
  const whose = !paths.every((path) => isProjects(repository, path))
    ? `${paths.join(', ')}. core.hooksPath leads there: it concerns all your repositories for which it is set so, not this one alone.`
    : `${named}, ${paths.every((path) => OWN_LEFTHOOK.test(path)) ? 'your own settings of lefthook in this work tree' : 'which others share with you'}.`;
  await needYes(io, `This adds relay’s lines to ${whose} Where relay is not installed they do nothing.`, 'Add them?', options);
}

const isProjects = ({ workTrees }: Repository, path: string): boolean => workTrees.some((top) => !relative(top, path).startsWith('..'));

async function needYes(io: Io, what: string, question: string, { json }: HooksOptions): Promise<void> {
  if (!io.interactive || json) throw new RelayError('consent', what, 'Add --yes.');
  io.stderr.write(`${safeLine(what)}\n`);
  if (!(await ask(io, question))) throw new RelayError('cancelled', 'Nothing was changed.');
}

/** What taking the hooks out means for others, in a sentence; undefined: nothing. */
export async function lossForOthers(place: Pick<HookPlace, 'repository' | 'env'>): Promise<string | undefined> {
  const paths = await takenFromOthers(place);
  if (!paths.length) return undefined;
  if (paths.every((path) => isProjects(place.repository, path)))
    return `relay’s lines in ${paths.join(', ')} are committed: whoever shares them with you loses them with your next commit.`;
  return `${paths.join(', ')}: core.hooksPath leads there, so all your repositories for which it is set so lose relay’s hooks, not this one alone.`;
}

async function uninstall(io: Io, options: HooksOptions): Promise<number> {
  const place = { repository: needRepository(await surroundings(io)), env: io.env };
  const loss = await lossForOthers(place);
  if (loss && !options.yes) await needYes(io, loss, 'Take them out?', options);
  const taken = await uninstallGitHooks(place);
  const { restored, left, failed } = taken;
  if (options.json) printJson(io, taken);
  else {
    if (restored.length) io.stdout.write(`Taken out of ${restored.map(safeLine).join(', ')}.\n`);
    else if (!failed.length) io.stdout.write('There was nothing to take out.\n');
    for (const path of left) io.stdout.write(`${safeLine(path)} is the hook from before. Its place is taken by another one since, so it stays there.\n`);
    io.stderr.write(failedText(failed));
  }
  return failed.length ? 1 : 0;
}

/** Hooks that could not be put back, with what to do. "" for none. */
export const failedText = (failed: TakenOut['failed']): string =>
  failed.map(({ why, fix }) => `Not put back: ${safeLine([why, fix].filter(Boolean).join(' '))}\n`).join('');

const WORDS: Record<HookState, string> = {
  ok: 'in place',
  changed: 'in place (the file was changed since)',
  gone: 'gone: run relay hooks install again',
  outdated: 'the hooks here are set up in another way now: run relay hooks install again',
  off: 'not executable, so git does not call it: run relay hooks install again',
  missing: 'not in place: run relay hooks install in that work tree',
};

/** The setting stands in the hooks themselves. */
function trailerText({ settings }: Workspace, { hooks: all }: GitHooks): string {
  const isThere = all.some(({ event }) => event === 'prepare-commit-msg');
  if (!all.length || isThere === settings.link.trailer) return '';
  return isThere
    ? 'link.trailer is off, and commits get the line until you type: relay hooks install\n'
    : 'link.trailer is on, and commits get the line once you type: relay hooks install\n';
}

/** What an install changes from then on. */
function followsText({ hooks: all }: GitHooks): string {
  const along = all.some(({ event }) => event === 'pre-push') ? 'git push sends along what is new in the sessions that you have shared.\n' : '';
  return `From now on each commit here is recorded with the session that made it; after one, see: relay log HEAD\n${along}`;
}

function stateText({ hooks: all, waiting, ...called }: GitHooks): string {
  if (!all.length) return 'Git’s hooks do not tell relay of commits: relay hooks install\n';
  const width = Math.max(...all.map(({ event }) => event.length)) + 1;
  const lines = all.map(({ event, path, state, workTree }) => {
    const where = workTree === undefined ? '' : ` (what git calls in the work tree ${workTree})`;
    return `${event.padEnd(width)}${WORDS[state]}\n${' '.repeat(width)}${safeLine(path + where)}\n`;
  });
  const fault = shimFault(called);
  if (fault) lines.push(`What the hooks call ${safeLine(fault)}: run relay hooks install again\n`);
  if (waiting) lines.push(`${count(waiting, 'event')} to be recorded\n`);
  return lines.join('');
}
