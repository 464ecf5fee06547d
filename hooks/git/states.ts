import { join } from 'node:path';
import type { GitEvent } from './call.ts';
import { type Edit, standing } from './change.ts';
import type { Installed } from './installed.ts';
import { plan } from './plan.ts';
import { exists, ownFolder, runs, type Setup } from './setup.ts';

/**
 * `outdated`: the hooks of this repository are set up in another way since, so that git does not call this one or soon will not; `off`: git does not call it, since it is
 * not executable; `missing`: git calls this one in another work tree, and relay's lines are not there.
 */
export type HookState = 'ok' | 'changed' | 'gone' | 'outdated' | 'off' | 'missing';

export interface Hook {
  event: GitEvent;
  path: string;
  state: HookState;
  /** of `missing`: top of the work tree */
  workTree?: string;
}

export const inPlace = ({ state }: Hook): boolean => state === 'ok' || state === 'changed';

/** What is to be in place for each work tree; nothing where nothing that relay may do achieves it. */
export const plansOf = (setups: readonly Setup[], events: readonly GitEvent[]): Promise<Edit[][]> =>
  Promise.all(setups.map((setup) => plan(setup, events).catch(() => [])));

/** How the hooks stand that were installed, and those that git calls in other work trees. @param setups of all work trees, this one's first */
export async function states(setups: readonly [Setup, ...Setup[]], { events, changes }: Installed): Promise<Hook[]> {
  const plans = await plansOf(setups, events);
  const now = plans.flat();
  const installed = changes.map(async (change) => {
    const stands = await standing(change);
    const found = change.events.map(async (event): Promise<Hook> => {
      const at = { event, path: change.path };
      const off = await switchedOff(setups, at);
      if (stands !== 'gone' && off !== undefined) return { event, path: off, state: 'off' };
      const belongs = now.some((edit) => edit.path === change.path && edit.events.includes(event) && change.own.includes(edit.own));
      return { ...at, state: stands === 'gone' || belongs ? stands : 'outdated' };
    });
    return Promise.all(found);
  });
  const hooks = (await Promise.all(installed)).flat(2);
  const called = events.filter((event) => hooks.some((hook) => hook.event === event && inPlace(hook)));
  const others = await Promise.all(setups.map((setup, i) => missingIn(setup, plans[i] ?? [], called)));
  return [...hooks, ...others.flat()];
}

/** The file that git would call for a hook, where that is relay's and not executable. */
async function switchedOff(setups: readonly Setup[], { event, path }: Pick<Hook, 'event' | 'path'>): Promise<string | undefined> {
  for (const { folder, simpleGitHooks, configHooks, commonDir } of setups) {
    const called = simpleGitHooks && !configHooks ? join(ownFolder(commonDir), event) : join(folder, event);
    const isOurs = simpleGitHooks || called === path;
    if (isOurs && (await exists(called)) && !(await runs(called))) return called;
  }
  return undefined;
}

/** Where core.hooksPath is one of a work tree alone, or leads to a folder in each, hooks of another one do not count. */
async function missingIn(setup: Setup, edits: readonly Edit[], events: readonly GitEvent[]): Promise<Hook[]> {
  const found: Hook[] = [];
  for (const event of events) {
    const edit = edits.find((one) => one.events.includes(event));
    if (edit && (await standing(edit)) !== 'gone') continue;
    found.push({ event, path: edit?.path ?? join(setup.folder, event), state: 'missing', ...(setup.root === undefined ? {} : { workTree: setup.root }) });
  }
  return found;
}
