import { adapters } from '#adapters/registry.ts';
import { accept, acceptable, showValue } from '#config/index.ts';
import { settingsFiles } from '#config/places.ts';
import { acceptedPlace, decliningOf, fileAsking, ownSettings } from '#flows/accepted.ts';
import { acceptedRemote } from '#flows/consent.ts';
import { workspace } from '#flows/context.ts';
import { sentTo, sentToAndFrom } from '#flows/sent-to.ts';
import { needRepository, type Workspace } from '#flows/workspace.ts';
import { recordingOf } from '#hooks/recording.ts';
import { type Io, printJson } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { nearest } from '#lib/nearest.ts';
import { safeLine, safeText } from '#report/index.ts';
import { recordingWords, sendingWords } from './init-words.ts';

interface Options {
  json?: boolean;
  accept?: string;
  remove?: boolean;
  yes?: boolean;
}

/** relay init */
export async function init(io: Io, options: Options): Promise<number> {
  if (options.remove) return (await import('./init-remove.ts')).removeRelay(io, options);
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
