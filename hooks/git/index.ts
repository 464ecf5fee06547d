import { queuesOf, waiting } from '#hooks/queue.ts';
import { EVENTS, type GitEvent } from './call.ts';
import { apply, type Change, holdsText, standing, undo } from './change.ts';
import { forgetInstalled, type Installed, readInstalled, writeInstalled } from './installed.ts';
import { removeOwnFiles, type ShimState, shimState, writeFolder, writeShim } from './own-files.ts';
import type { HookPlace } from './place.ts';
import { isShared, plan } from './plan.ts';
import { findSetup, type Setup } from './setup.ts';

/** `outdated`: the hooks of this repository are set up in another way since, so that git does not call this one or soon will not. */
export type HookState = 'ok' | 'changed' | 'gone' | 'outdated';

export interface GitHooks {
  /** every hook is in place, and so is what it calls */
  installed: boolean;
  /** empty where nothing was ever installed */
  hooks: { event: GitEvent; path: string; state: HookState }[];
  shim: ShimState['shim'];
  /** which programs that starts, where these are not those that it should */
  starts?: string;
  /** events that wait to be recorded */
  waiting: number;
}

/**
 * Sets git's hooks up so that they call relay, and takes out what the settings no longer ask for. Done twice it does nothing more.
 * @param prePush whether a push sends what is pending along; once set up it stays
 * @param allow asked before files are changed that belong to more than this clone; throws where that is not wanted
 * @throws RelayError `blocked` where a hook cannot be placed; then nothing is changed
 */
export async function installGitHooks(place: HookPlace, { prePush, allow }: { prePush: boolean; allow(paths: string[]): Promise<void> }): Promise<GitHooks> {
  const setup = await findSetup(place.repository, place.env);
  const old = await readInstalled(setup);
  const events = EVENTS.filter((event) => {
    if (event === 'prepare-commit-msg') return place.shim.trailer;
    return event !== 'pre-push' || prePush || old?.events.includes(event);
  });
  const shared: string[] = [];
  for (const edit of await plan(setup, events)) if (isShared(setup, edit.path) && !(await holdsText(edit))) shared.push(edit.path);
  if (shared.length) await allow(shared);
  const complete =
    old?.events.length === events.length &&
    events.every((event) => old.events.includes(event)) &&
    (await states(setup, old)).every(({ state }) => inPlace(state));
  if (!complete) await renew(setup, old, events);
  await writeShim(setup.commonDir, place.shim);
  return gitHooksState(place);
}

const inPlace = (state: HookState): boolean => state === 'ok' || state === 'changed';

async function renew(setup: Setup, old: Installed | undefined, events: GitEvent[]): Promise<void> {
  for (const change of [...(old?.changes ?? [])].reverse()) await undo(change);
  if (setup.simpleGitHooks && !setup.configHooks) await writeFolder(setup, events);
  const changes: Change[] = [];
  try {
    for (const edit of await plan(setup, events)) {
      changes.push(await apply(edit));
      await writeInstalled(setup, { events, changes });
    }
  } catch (error) {
    for (const change of changes.reverse()) await undo(change);
    await forgetInstalled(setup);
    throw error;
  }
}

/**
 * Takes out what an install has put in: files are as before, what others have changed since stays.
 * @returns the files; of those in `left` an earlier hook could not go back to its place, which somebody has taken
 */
export async function uninstallGitHooks(place: Pick<HookPlace, 'repository' | 'env'>): Promise<{ restored: string[]; left: string[] }> {
  const setup = await findSetup(place.repository, place.env);
  const { changes } = (await readInstalled(setup)) ?? { changes: [] };
  const left: string[] = [];
  for (const change of [...changes].reverse()) {
    const kept = await undo(change);
    if (kept) left.push(kept);
  }
  await removeOwnFiles(setup.commonDir);
  await forgetInstalled(setup);
  return { restored: changes.filter(({ after }) => after !== undefined).map(({ path }) => path), left };
}

/** How the hooks of a repository stand. */
export async function gitHooksState({ repository, env, home, shim }: HookPlace): Promise<GitHooks> {
  const setup = await findSetup(repository, env);
  const old = await readInstalled(setup);
  const hooks = old ? await states(setup, old) : [];
  const called = await shimState(setup.commonDir, shim);
  const queued = await waiting(queuesOf(repository.commonDir, { env, home }), Date.now());
  return { installed: hooks.length > 0 && hooks.every((one) => inPlace(one.state)) && called.shim !== 'gone', hooks, ...called, waiting: queued.length };
}

async function states(setup: Setup, { events, changes }: Installed): Promise<GitHooks['hooks']> {
  const now = await plan(setup, events).catch(() => []);
  const all = await Promise.all(
    changes.map(async (change) => {
      const stands = await standing(change);
      return change.events.map((event) => {
        const belongs = now.some((edit) => edit.path === change.path && edit.events.includes(event) && change.own.includes(edit.own));
        return { event, path: change.path, state: stands === 'gone' || belongs ? stands : ('outdated' as const) };
      });
    }),
  );
  return all.flat();
}
