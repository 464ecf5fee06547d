import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { adapters } from '#adapters/registry.ts';
import { accept, acceptable, acceptedFile, showValue } from '#config/index.ts';
import { settingsFiles } from '#config/places.ts';
import { acceptedPlace, decliningOf, fileAsking, ownSettings } from '#flows/accepted.ts';
import { acceptedRemote, consentFile } from '#flows/consent.ts';
import { surroundings, workspace } from '#flows/context.ts';
import { stateFolder } from '#flows/registry.ts';
import { sentTo, sentToAndFrom } from '#flows/sent-to.ts';
import { needRepository, type Workspace } from '#flows/workspace.ts';
import { uninstallGitHooks } from '#hooks/git/index.ts';
import { queuesOf } from '#hooks/queue.ts';
import { recordingOf } from '#hooks/recording.ts';
import { stopWorker } from '#hooks/stop.ts';
import { ask } from '#io/ask.ts';
import { type Io, printJson } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { nearest } from '#lib/nearest.ts';
import { forgetSealed } from '#lib/sealed.ts';
import { count, safeLine, safeText } from '#report/index.ts';
import { openStore } from '#store/index.ts';
import { recordingWords, sendingWords } from './init-words.ts';

interface Options {
  json?: boolean;
  accept?: string;
  remove?: boolean;
  yes?: boolean;
}

/** relay init */
export async function init(io: Io, options: Options): Promise<number> {
  if (options.remove) return remove(io, options);
  const ws = await workspace(io);
  needRepository(ws);
  if (options.accept !== undefined) return acceptKey(io, ws, options.accept, options);
  const store = await ws.store();
  const writer = await store.writer();
  const remote = await ws.remote().catch((error: unknown) => {
    if (error instanceof RelayError && error.code === 'usage') return undefined;
    throw error;
  });
  const url = remote && (options.json ? sentTo(remote) : sentToAndFrom(remote));
  if (options.json)
    printJson(io, {
      writer,
      remote: url ?? null,
      store: store.path,
      unaccepted: ws.unaccepted.map((u) => ({ file: fileAsking(ws, u), key: u.key, value: showValue(u.value) })),
    });
  else {
    io.stdout.write(`relay keeps its versions in ${store.path}; relay init changes nothing else of this repository.\nYou write as ${writer}.\n`);
    const recording = await recordingOf(ws, io.program);
    const byItself = (await acceptedRemote(ws)) !== undefined;
    io.stdout.write(sendingWords({ url, auto: ws.settings.push.auto, byItself, prePush: recording.git.prePush }));
    for (const one of ws.unaccepted)
      io.stdout.write(
        `${safeLine(fileAsking(ws, one))} sets ${one.key} to ${showValue(one.value)}. It does not count until you type: relay init --accept ${one.key}\n`,
      );
    const declining = decliningOf(ws);
    if (declining) io.stdout.write(`${declining}\n`);
    io.stdout.write(safeText(recordingWords(recording)));
  }
  return 0;
}

async function acceptKey(io: Io, ws: Workspace, key: string, options: Options): Promise<number> {
  needKnown(key);
  // Where both ask for it, lists are joined and both count.
  const wanted = ws.unaccepted.filter((u) => u.key === key);
  for (const one of wanted) await accept(acceptedPlace(ws), one);
  if (!wanted.length && !options.json)
    io.stdout.write(
      `There is nothing to accept for ${key}: neither .relayrc nor ${safeLine(ownSettings(ws))} sets it, or this clone has accepted it already.\nWhat ${safeLine(settingsFiles(ws).user)} sets counts at once, for all your clones.\n`,
    );
  if (options.json) printJson(io, { accepted: wanted.length ? [key] : [] });
  else for (const { value } of wanted) io.stdout.write(`Accepted in this clone: ${key} = ${showValue(value)}\n${key === 'link.trailer' ? TRAILER : ''}`);
  return 0;
}

/** The only setting that stands in the hooks themselves. */
const TRAILER = 'Commits get the line once you have typed (again): relay hooks install\n';

/** Only a setting that has to be accepted can be accepted. */
function needKnown(key: string): void {
  const known = acceptable(adapters.map((a) => a.id));
  if (known.includes(key)) return;
  const near = nearest(key, known);
  throw new RelayError(
    'usage',
    `${key} is no setting that has to be accepted.${near ? ` Did you mean ${near}?` : ''}`,
    near ? `relay init --accept ${near}` : `Those that have to be: ${known.join(', ')}. For example: relay init --accept ${known[0]}`,
  );
}

async function remove(io: Io, options: Options): Promise<number> {
  const repository = needRepository(await surroundings(io));
  const store = await openStore(repository, { env: io.env, home: io.home });
  const folders = [...new Set([store.home, join(repository.commonDir, 'relay')])];
  const state = stateFolder(io);
  const own = await store.list().then(
    (all) => `${count(all.filter((one) => one.state === 'own').length, 'session')} of yours`,
    // A damaged store, which cannot say, goes all the same.
    () => 'your sessions',
  );
  if (!options.yes) {
    const what = `This takes relay’s hooks out of git and deletes ${folders.join(' and ')}: the key, what it made recognisable of secrets that were found or purged (relay purge --match), so that a later clone no longer knows them, and ${own} as stored here. The agents’ own sessions and what was pushed stay. ${stays(state)}`;
    if (!io.interactive || options.json) throw new RelayError('consent', what, 'Add --yes.');
    io.stderr.write(`${what}\n`);
    if (!(await ask(io, 'Delete?'))) throw new RelayError('cancelled', 'Nothing was deleted.');
  }
  const { left } = await uninstallGitHooks({ repository, env: io.env });
  // Only now: what it called cannot start another one.
  await stopWorker(store.home, queuesOf(repository.commonDir, io));
  const sealed = [await consentFile({ env: io.env, home: io.home, store: async () => store }), acceptedFile({ commonDir: repository.commonDir, state })];
  for (const file of sealed) await forgetSealed(file);
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
  for (const path of left) io.stderr.write(`${safeLine(path)} is a hook from before relay’s. Its place is taken by another one since, so it stays there.\n`);
  if (options.json) printJson(io, { removed: folders });
  else io.stdout.write(`relay is out of this clone. ${stays(state)}\n`);
  return 0;
}

/** What belongs to the user rather than to this clone. */
const stays = (state: string): string =>
  `${state} stays, since your other clones use it too: imports.jsonl and writers.json (no paths, no text), seals (digests of what you agreed to), agent-hooks.json (where the agents’ hooks stand; relay hooks uninstall --agent <agent> takes these out) and compiled (relay’s own code).`;
