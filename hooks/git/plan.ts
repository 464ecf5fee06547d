import { lstat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { commandLine } from '#lib/command-line.ts';
import { RelayError } from '#lib/errors.ts';
import { chainedLines, configText, type GitEvent, includeText, lefthookText, shellLines } from './call.ts';
import { asideOf, type Edit } from './change.ts';
import { bytesOf } from './file.ts';
import { exists, hookAt, lefthookRuns, real, type Setup, settingsIn } from './setup.ts';

const SH = '#!/bin/sh\n';

/** What has to be done so that git calls relay at these events. RelayError `blocked` where nothing that relay may do achieves it; nothing is changed here. */
export async function plan(setup: Setup, events: readonly GitEvent[]): Promise<Edit[]> {
  const { configHooks, simpleGitHooks, commonDir } = setup;
  const settings = async (own: string): Promise<Edit> => ({
    events: [...events],
    path: await real(join(commonDir, 'config')),
    own,
    at: 'end',
    head: '',
    mode: 0o644,
  });
  if (configHooks) return [await settings(configText(events))];
  if (simpleGitHooks) return [await settings(bytesOf(includeText(commonDir)))];
  if ((await exists(setup.folder)) && !(await lstat(setup.folder)).isDirectory())
    throw new RelayError(
      'blocked',
      `core.hooksPath is ${setup.folder}, which is no folder: git runs no hooks here.`,
      'git config --show-origin core.hooksPath says where it is set.',
    );
  const byLefthook: GitEvent[] = [];
  const edits: Edit[] = [];
  for (const event of events) {
    if (setup.husky) edits.push(await huskyFile(setup.husky, event));
    else if (await lefthookRuns(setup, event)) byLefthook.push(event);
    else edits.push(await hookFile(setup, event));
  }
  if (byLefthook.length) edits.push(await lefthookJobs(setup, byLefthook));
  return edits;
}

/** husky runs the file with `sh -e`, whatever its first line or its permissions say. */
const huskyFile = async (folder: string, event: GitEvent): Promise<Edit> => ({
  events: [event],
  path: await real(join(folder, event)),
  own: shellLines(event),
  at: 'top',
  head: '',
  mode: 0o644,
});

async function hookFile(setup: Setup, event: GitEvent): Promise<Edit> {
  const path = join(setup.folder, event);
  const found = await hookAt(path);
  const edit: Edit = { events: [event], path, own: shellLines(event), at: 'top', head: SH, mode: 0o755 };
  if (found === 'none' || found === 'shell') return edit;
  if (isShared(setup, path) && found === 'off')
    throw new RelayError(
      'blocked',
      `${path} is not executable, so git does not run it, and it belongs to the project: relay changes no such file.`,
      `Have git run it: ${commandLine(['chmod', '+x', path])}`,
    );
  if (isShared(setup, path))
    throw new RelayError(
      'blocked',
      `${path} is no shell script, and it belongs to the project: relay changes no such file.`,
      `Have it run, in a shell: set -- ${event} "$@"; . "$(git rev-parse --git-common-dir)/hooks/relay.sh"`,
    );
  const name = relative(setup.folder, asideOf(path, (await lstat(path)).isSymbolicLink()));
  return { ...edit, at: 'aside', own: chainedLines(event, `"\${0%/*}/${name}"`) };
}

const LOCAL = ['lefthook-local.yml', 'lefthook-local.yaml', '.lefthook-local.yml', '.lefthook-local.yaml'];
const OTHER_LOCAL = ['lefthook-local.toml', 'lefthook-local.json', '.lefthook-local.toml', '.lefthook-local.json'];

async function lefthookJobs({ root = '' }: Setup, events: GitEvent[]): Promise<Edit> {
  const own = lefthookText(events);
  for (const name of OTHER_LOCAL) if (await exists(join(root, name))) throw byHand(join(root, name), own);
  let path = join(root, LOCAL[0] as string);
  for (const name of LOCAL) if (await exists(join(root, name))) path = join(root, name);
  const text = (await settingsIn(path)) ?? '';
  if (!text.includes(own) && events.some((event) => new RegExp(`^["']?${event}["']?\\s*:`, 'm').test(text))) throw byHand(path, own);
  return { events, path, own, at: 'end', head: '', mode: 0o644 };
}

const byHand = (path: string, own: string): RelayError =>
  new RelayError('blocked', `${path} has jobs of its own for these hooks, and relay does not rewrite it.`, `Add to it by hand:\n${own}`);

/** Does a file belong to more than this clone: to the project's work tree, or to all repositories of the user? */
export const isShared = ({ commonDir }: Pick<Setup, 'commonDir'>, path: string): boolean => relative(commonDir, path).startsWith('..');
