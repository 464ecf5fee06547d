import { decliningOf } from '#flows/accepted.ts';
import { workspace } from '#flows/context.ts';
import { type Status, statusOf } from '#flows/status.ts';
import { recordingOf } from '#hooks/recording.ts';
import { type Io, printJson } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { ago, count, exposedText, PURGE_VALUE, safeLine } from '#report/index.ts';

/** relay status */
export async function status(io: Io, options: { json?: boolean }): Promise<number> {
  const ws = await workspace(io).catch(notReadable);
  const state = await statusOf(ws, await recordingOf(ws, io.program));
  if (options.json) {
    printJson(io, { ...state, exposed: state.exposed.map((one) => ({ ...one, purgeValue: PURGE_VALUE })) });
    return 0;
  }
  io.stdout.write(notRecording(io, state));
  io.stdout.write(
    `writer  ${state.writer ?? 'none yet: the first version makes it'}\nremote  ${state.remote ?? `none (${state.remoteProblem})`}\n${recorded(state, io.now())}`,
  );
  io.stdout.write(`${unrecorded(state)}${sending(state)}${heldBack(state)}${purgedImports(state)}${exposedText(state.exposed)}`);
  for (const { file, key, value } of state.unaccepted)
    io.stdout.write(`${safeLine(file)} sets ${key} to ${value}; this clone has not accepted it (relay init --accept ${key})\n`);
  const declining = decliningOf(ws);
  if (declining) io.stdout.write(`  ${declining}\n`);
  return 0;
}

/** Hooks and what they start cannot read them either. */
function notReadable(error: unknown): never {
  if (!(error instanceof RelayError) || error.code !== 'config') throw error;
  throw new RelayError(
    'config',
    `NOT RECORDING: the settings cannot be read. ${error.message}`,
    `${error.hint ?? ''} What happens meanwhile is recorded then.`.trim(),
  );
}

/** Said first, and loudly: without it everything looks well. */
function notRecording({ stdout: { paint } }: Io, { recording }: Status): string {
  return recording.not.map(({ why, fix }) => `${paint.bold(paint.red('NOT RECORDING:'))} ${safeLine(why)}\n  ${safeLine(fix)}\n`).join('');
}

function recorded({ hooks, recording }: Status, now: Date): string {
  const running = [...(hooks.installed ? ['git'] : []), ...hooks.agents.flatMap(({ agent, installed, runs }) => (installed && runs !== false ? [agent] : []))];
  const waiting = recording.waiting ? `, ${count(recording.waiting, 'event')} waiting` : '';
  const last = recording.last === null ? 'nothing recorded by them yet' : `last recorded ${ago(recording.last, now)}`;
  return `hooks   ${running.length ? `${running.join(', ')}; ${last}${waiting}` : 'none'}\n`;
}

/** So many sessions are named. */
const NAMED = 10;

function unrecorded({ unrecorded: all }: Status): string {
  if (!all.length) return '';
  const lines = all
    .slice(0, NAMED)
    .map(({ agent, session, version }) => `  ${agent}:${safeLine(session)}  ${version === null ? 'never was' : `has grown since @${version}`}\n`);
  const more = all.length > NAMED ? `  and ${all.length - NAMED} more\n` : '';
  return `not recorded yet (relay push --all --no-send records them):\n${lines.join('')}${more}`;
}

/** Without a remote nothing can have been sent. */
function sending({ unsent, purged, remote, recording }: Status): string {
  if (unsent.length) return `not sent yet:\n${unsent.map((handoff) => `  ${handoff}`).join('\n')}\n`;
  if (remote === null) return 'There is nothing to send, and no remote to send it to.\n';
  if (!recording.sessions) return 'Nothing is recorded in this clone yet, so there is nothing to send.\n';
  return `Everything ${purged.length ? 'else ' : ''}that is recorded here is sent.\n`;
}

function heldBack({ purged }: Status): string {
  if (!purged.length) return '';
  const lines = purged.map(({ handoff, by, at, imported }) => {
    const what = imported ? `imported from ${safeLine(imported)}, which ${safeLine(by)} purged` : `purged by ${safeLine(by)}`;
    return `  ${handoff}  ${what} on ${at.slice(0, 10)}; to remove it here too: relay purge ${handoff}`;
  });
  return `purged, so kept here and not sent:\n${lines.join('\n')}\n`;
}

function purgedImports({ purgedImports: all }: Status): string {
  if (!all.length) return '';
  const lines = all.map(({ agent, session, path }) => `  ${agent}:${session}  ${safeLine(path)}`);
  return `imported from what was purged since, and still holding it (rotate what was secret, delete the file):\n${lines.join('\n')}\n`;
}
