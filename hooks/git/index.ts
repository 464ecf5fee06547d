import { queuesOf, waiting } from '#hooks/queue.ts';
import { RelayError } from '#lib/errors.ts';
import { EVENTS, type GitEvent } from './call.ts';
import { type Change, type Edit, holdsText, make, prepare } from './change.ts';
import { sweep } from './file.ts';
import { forgetInstalled, type Installed, readInstalled, writeInstalled } from './installed.ts';
import { removeOwnFiles, type ShimState, shimState, writeFolder, writeShim } from './own-files.ts';
import type { HookPlace } from './place.ts';
import { isShared, plan } from './plan.ts';
import { findSetup, findSetups, type Setup } from './setup.ts';
import { type Hook, inPlace, plansOf, states } from './states.ts';
import { takeBack } from './take-back.ts';

export interface GitHooks {
  /** every hook is in place, and so is what it calls */
  installed: boolean;
  /** empty where nothing was ever installed */
  hooks: Hook[];
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
  const setups = await findSetups(place.repository, place.env);
  const [setup] = setups;
  const old = await readInstalled(setup);
  for (const { path } of old?.changes ?? []) await sweep(path);
  const events = EVENTS.filter((event) => {
    if (event === 'prepare-commit-msg') return place.shim.trailer;
    return event !== 'pre-push' || prePush || old?.events.includes(event);
  });
  const shared: string[] = [];
  for (const edit of await plan(setup, events)) if (isShared(setup, edit.path) && !(await holdsText(edit))) shared.push(edit.path);
  if (shared.length) await allow(shared);
  const isComplete = old?.events.length === events.length && events.every((event) => old.events.includes(event)) && (await isInPlace(setups, old));
  if (!isComplete) await renew(setups, old, events);
  await writeShim(setup.commonDir, place.shim);
  return gitHooksState(place);
}

/** Does git call relay for each event in this work tree? Others have an install of their own. */
async function isInPlace(setups: [Setup, ...Setup[]], installed: Installed): Promise<boolean> {
  const here = (await states(setups, installed)).filter((hook) => isHere(setups[0], hook));
  return installed.events.every((event) => here.some((hook) => hook.event === event)) && here.every(inPlace);
}

const isHere = ({ root }: Pick<Setup, 'root'>, { state, workTree }: Hook): boolean => state !== 'missing' || workTree === root;

/** What is to be done is remembered before anything is, so that an install that was killed is finished by the next one, or taken back by an uninstall. */
async function renew(setups: [Setup, ...Setup[]], old: Installed | undefined, events: GitEvent[]): Promise<void> {
  const [setup, ...others] = setups;
  const kept = ofOthers(old?.changes ?? [], await plan(setup, events), (await plansOf(others, events)).flat());
  const { failed } = await takeBack((old?.changes ?? []).filter((change) => !kept.includes(change)));
  if (failed[0]) throw failed[0].error;
  if (setup.simpleGitHooks && !setup.configHooks) await writeFolder(setup, events);
  const prepared = await Promise.all((await plan(setup, events)).map(prepare));
  const changes = [...kept, ...prepared.map(({ change }) => change)];
  await writeInstalled(setup, { events, changes });
  try {
    for (const one of prepared) await make(one);
  } catch (error) {
    const { failed } = await takeBack(prepared.map(({ change }) => change));
    await remember(setup, { events, changes: [...kept, ...failed.map(({ change }) => change)] });
    throw error;
  }
}

/** The changes by which git calls relay in other work trees alone. */
const ofOthers = (changes: readonly Change[], here: readonly Edit[], elsewhere: readonly Edit[]): Change[] =>
  changes.filter(({ path, own }) => !here.some((edit) => edit.path === path) && elsewhere.some((edit) => edit.path === path && own.includes(edit.own)));

const remember = (setup: Setup, installed: Installed): Promise<void> => (installed.changes.length ? writeInstalled(setup, installed) : forgetInstalled(setup));

/** What an uninstall came to. */
export interface TakenOut {
  /** files that relay was taken out of */
  restored: string[];
  /** earlier hooks that could not go back to their place, which somebody has taken */
  left: string[];
  /** what could not be put back: why, and what to do */
  failed: { why: string; fix?: string }[];
}

/**
 * Takes out what an install has put in, file by file: they are as before, what others have changed since stays. What fails is remembered, so that it can be tried again.
 * @param isLast relay goes for good: what its lines call is taken away even where it cannot be read which files hold them, which throws RelayError `corrupt` otherwise
 */
export async function uninstallGitHooks({ repository, env }: Pick<HookPlace, 'repository' | 'env'>, { isLast = false } = {}): Promise<TakenOut> {
  const setup = await findSetup(repository, env);
  const installed = await readInstalled(setup).catch((error: unknown) => {
    if (isLast && error instanceof RelayError) return error;
    throw error;
  });
  if (installed instanceof RelayError) {
    await removeOwnFiles(setup.commonDir);
    return { restored: [], left: [], failed: [told(installed)] };
  }
  const { events, changes } = installed ?? { events: [], changes: [] };
  const { left, lost, failed } = await takeBack(changes);
  await removeOwnFiles(setup.commonDir);
  await remember(setup, { events, changes: failed.map(({ change }) => change) });
  const gone = [...lost.map(({ path }) => path), ...failed.map(({ change }) => change.path)];
  return {
    restored: changes.filter(({ after, path }) => after !== undefined && !gone.includes(path)).map(({ path }) => path),
    left,
    failed: [...lost.map(({ why, fix }) => ({ why, fix })), ...failed.map(({ error }) => told(error))],
  };
}

const told = ({ message, hint }: RelayError): TakenOut['failed'][number] => ({ why: message, ...(hint === undefined ? {} : { fix: hint }) });

/** How the hooks of a repository stand. */
export async function gitHooksState({ repository, env, home, shim }: HookPlace): Promise<GitHooks> {
  const setups = await findSetups(repository, env);
  const [setup] = setups;
  const old = await readInstalled(setup);
  const hooks = old ? await states(setups, old) : [];
  const called = await shimState(setup.commonDir, shim);
  const queued = await waiting(queuesOf(repository.commonDir, { env, home }), Date.now());
  const installed = hooks.length > 0 && hooks.filter((hook) => isHere(setup, hook)).every(inPlace) && called.shim !== 'gone';
  return { installed, hooks, ...called, waiting: queued.length };
}
