import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chainedLines, type GitEvent, hooksPathText } from './call.ts';
import { bytesOf, replace, sweep } from './file.ts';
import { formerFolder, ownFolder, type Setup } from './setup.ts';
import { type ShimParts, shimText } from './shim.ts';

/**
 * What git's hooks run or read of relay lies among them, under names that git does not call: the shim, and where simple-git-hooks is at work a folder of hooks. There
 * no sandbox of an agent lets anything be written; in `<git-common-dir>/relay`, where the queue is, it does.
 */
const shimFile = (commonDir: string): string => join(commonDir, 'hooks', 'relay.sh');
const configOf = (commonDir: string): string => join(commonDir, 'hooks', 'relay.config');
/** Where earlier versions of relay kept them. */
const formerFiles = (commonDir: string): string[] => [...['hook.sh', 'hooks.config'].map((name) => join(commonDir, 'relay', name)), formerFolder(commonDir)];

export async function writeShim(commonDir: string, parts: ShimParts): Promise<void> {
  await mkdir(join(commonDir, 'relay', 'queue'), { recursive: true, mode: 0o700 });
  await mkdir(join(commonDir, 'hooks'), { recursive: true });
  // Whole or not at all: a hook reads it at any time.
  await replace(shimFile(commonDir), bytesOf(shimText(parts)), { mode: 0o644 });
  for (const path of formerFiles(commonDir)) await rm(path, { recursive: true, force: true });
}

/** How what git's hooks call stands, to the byte. `old`: another version of relay wrote it, or something else. */
export interface ShimState {
  shim: 'ok' | 'old' | 'gone';
  /** which programs it starts, as it says itself, where these are not those that were asked for */
  starts?: string;
}

export async function shimState(commonDir: string, parts: ShimParts): Promise<ShimState> {
  const text = await readFile(shimFile(commonDir), 'utf8').catch(() => undefined);
  if (text === undefined) return { shim: 'gone' };
  const wanted = shimText(parts);
  if (text === wanted) return { shim: 'ok' };
  const starts = programsOf(text);
  return { shim: 'old', ...(starts === programsOf(wanted) ? {} : { starts }) };
}

const programsOf = (text: string): string => (text.match(/^(?:node|relay)=.*$/gm) ?? []).join(' ');

/** What is wrong with it, as the rest of a sentence that begins "What git's hooks call "; undefined: nothing. */
export function shimFault({ shim, starts }: ShimState): string | undefined {
  if (shim === 'ok') return undefined;
  if (shim === 'gone') return 'is gone';
  return starts === undefined ? 'is of another version of relay' : `starts something else than this relay (${starts})`;
}

/** The hooks that git knows of: those of a client, in any version. */
const HOOKS = [
  ...['applypatch-msg', 'pre-applypatch', 'post-applypatch', 'pre-commit', 'pre-merge-commit', 'prepare-commit-msg', 'commit-msg', 'post-commit'],
  ...['pre-rebase', 'post-checkout', 'post-merge', 'pre-push', 'pre-receive', 'update', 'proc-receive', 'post-receive', 'post-update'],
  ...['reference-transaction', 'push-to-checkout', 'pre-auto-gc', 'post-rewrite', 'sendemail-validate', 'fsmonitor-watchman', 'post-index-change'],
];

/**
 * A folder of hooks that leads to those in the clone's own: links, which lead nowhere as long as there is no such hook, so that git starts nothing; and
 * relay's, which go on to the others.
 */
export async function writeFolder({ commonDir }: Setup, events: readonly GitEvent[]): Promise<void> {
  const folder = ownFolder(commonDir);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of HOOKS) {
    const event = events.find((one) => one === name);
    if (!event) await symlink(`../${name}`, join(folder, name));
    else {
      await writeFile(join(folder, event), `#!/bin/sh\n${chainedLines(event, `"\${0%/*}/../${event}"`)}`, { mode: 0o755 });
    }
  }
  await writeFile(configOf(commonDir), hooksPathText(folder));
}

/** Takes all of that away but the queue, where something may still wait. */
export async function removeOwnFiles(commonDir: string): Promise<void> {
  await sweep(shimFile(commonDir));
  for (const path of [shimFile(commonDir), configOf(commonDir), ownFolder(commonDir), ...formerFiles(commonDir)])
    await rm(path, { recursive: true, force: true });
  const relay = join(commonDir, 'relay');
  const left = await readdir(join(relay, 'queue')).catch(() => ['?']);
  if (!left.length) await rm(join(relay, 'queue'), { recursive: true, force: true });
}
