import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { adapters } from '#adapters/registry.ts';
import { acceptedFile } from '#config/index.ts';
import { ownSettings } from '#flows/accepted.ts';
import { consentFile } from '#flows/consent.ts';
import { surroundings, workspace } from '#flows/context.ts';
import { stateFolder } from '#flows/registry.ts';
import { needRepository } from '#flows/workspace.ts';
import { writerOf } from '#flows/writer.ts';
import type { Repository } from '#git/repository.ts';
import { uninstallGitHooks } from '#hooks/git/index.ts';
import { queuesOf } from '#hooks/queue.ts';
import { stopWorker } from '#hooks/stop.ts';
import { ask } from '#io/ask.ts';
import { type Io, printJson } from '#io/io.ts';
import { HOOK_COMMAND } from '#lib/command-hooks.ts';
import { RelayError } from '#lib/errors.ts';
import { forgetSealed } from '#lib/sealed.ts';
import { count, safeLine } from '#report/index.ts';
import { openStore } from '#store/index.ts';
import type { Store } from '#store/types.ts';
import { failedText, lossForOthers } from './hooks.ts';

/** relay init --remove */
export async function removeRelay(io: Io, options: { json?: boolean; yes?: boolean }): Promise<number> {
  const repository = needRepository(await surroundings(io));
  const place = { repository, env: io.env };
  const store = await openStore(repository, { env: io.env, home: io.home });
  const folders = [...new Set([store.home, join(repository.commonDir, 'relay')])];
  const state = stateFolder(io);
  const comesBack = await comingBack(io);
  if (!options.yes) {
    const others = await lossForOthers(place);
    const what = [
      `This takes relay’s hooks out of git and deletes ${folders.join(' and ')}: ${await lost(io, repository, store)}.`,
      'The agents’ own sessions and what was pushed stay.',
      ...(others ? [others] : []),
      ...comesBack,
      stays(state),
    ].join(' ');
    if (!io.interactive || options.json) throw new RelayError('consent', what, 'Add --yes.');
    io.stderr.write(`${what}\n`);
    if (!(await ask(io, 'Delete?'))) throw new RelayError('cancelled', 'Nothing was deleted.');
  }
  const { left, failed } = await uninstallGitHooks(place, { isLast: true });
  // Only now: what it called cannot start another one.
  await stopWorker(store.home, queuesOf(repository.commonDir, io));
  const sealed = [await consentFile({ env: io.env, home: io.home, store: async () => store }), acceptedFile({ commonDir: repository.commonDir, state })];
  for (const file of sealed) await forgetSealed(file);
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  for (const path of left) io.stderr.write(`${safeLine(path)} is a hook from before relay’s. Its place is taken by another one since, so it stays there.\n`);
  io.stderr.write(failedText(failed));
  if (options.json) printJson(io, { removed: folders });
  else io.stdout.write(`relay is out of this clone. ${[...comesBack, stays(state)].join(' ')}\n`);
  return failed.length ? 1 : 0;
}

/** What is in the folders, in words: what exists nowhere else above all. */
async function lost(io: Io, repository: Repository, store: Store): Promise<string> {
  const settings = existsSync(ownSettings({ repository })) ? ['this clone’s own settings (config.jsonc)'] : [];
  const key = 'the key, what it made recognisable of secrets that were found or purged (relay purge --match), so that a later clone no longer knows them';
  return [...settings, key, ...(await lostRecords(io, store))].map((one, i, all) => (i === all.length - 1 ? `and ${one}` : one)).join(', ');
}

/** A damaged store, which cannot say, goes all the same. */
async function lostRecords(io: Io, store: Store): Promise<string[]> {
  try {
    const own = (await store.list()).filter(({ state }) => state === 'own').length;
    const writer = await writerOf(store);
    const commits = new Set((await store.links()).flatMap(({ handoff, link }) => (writer && handoff.startsWith(`${writer}/`) ? [link.commit] : []))).size;
    const unsent = own ? await unsentOf(io, store, own) : 0;
    const pending = unsent ? `, ${unsent} of which ${unsent === 1 ? 'is' : 'are'} not sent, or not all of ${unsent === 1 ? 'it' : 'them'}` : '';
    return [
      ...(commits ? [`which sessions ${count(commits, 'commit')} came from, as far as that is not sent`] : []),
      `${count(own, 'session')} of yours as stored here${pending}`,
    ];
  } catch {
    return ['your sessions as stored here'];
  }
}

/** Undefined: settings or remote do not tell. */
async function unsentOf(io: Io, store: Store, own: number): Promise<number | undefined> {
  try {
    return (await store.unsent(await (await workspace(io)).remote())).length;
  } catch (error) {
    return error instanceof RelayError && error.code === 'usage' ? own : undefined;
  }
}

/** An agent that still calls relay begins anew with its next turn here. */
async function comingBack(io: Io): Promise<string[]> {
  const texts = await Promise.all(adapters.map(({ hooks }) => (hooks ? readFile(hooks.file({ env: io.env, home: io.home }), 'utf8').catch(() => '') : '')));
  const calling = adapters.filter((_, i) => texts[i]?.includes(JSON.stringify(HOOK_COMMAND).slice(1, -1)));
  if (!calling.length) return [];
  const names = calling.map(({ title }) => title).join(' and ');
  const commands = calling.map(({ id }) => `relay hooks uninstall --agent ${id}`).join(' && ');
  return [
    `${names} still ${calling.length === 1 ? 'tells' : 'tell'} relay of each turn, in all repositories, and the next one here is recorded anew; to end that: ${commands}.`,
  ];
}

/** What belongs to the user rather than to this clone. */
const stays = (state: string): string =>
  `${state} stays, since your other clones use it too: imports.jsonl and writers.json (no paths, no text), seals (digests of what you agreed to), agent-hooks.json (where the agents’ hooks stand; relay hooks uninstall --agent <agent> takes these out) and compiled (relay’s own code).`;
