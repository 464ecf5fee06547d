import { logOf } from '#flows/check.ts';
import { commitNamed } from '#flows/commit-name.ts';
import { type Behind, type CommitSessions, sessionsOfCommit } from '#flows/commit-sessions.ts';
import { workspace } from '#flows/context.ts';
import type { Workspace } from '#flows/workspace.ts';
import { recordPending } from '#hooks/pending.ts';
import { type Io, printJson } from '#io/io.ts';
import { bytes, shortHandoffs, tableFor } from '#report/index.ts';
import type { VersionInfo } from '#store/types.ts';
import { noneText, unrecordedName, unrecordedText } from './commit-words.ts';

interface Options {
  json?: boolean;
}

/** relay log <handoff or commit> */
export async function log(io: Io, name: string, options: Options): Promise<number> {
  const ws = await workspace(io);
  if (ws.repository) await recordPending(ws);
  const rev = await commitNamed(ws, name);
  return rev === undefined ? logHandoff(io, ws, name, options) : logCommit(io, ws, await sessionsOfCommit(ws, rev), options);
}

/** The sessions behind a commit; that there is none is an answer, too. */
async function logCommit(io: Io, ws: Workspace, found: CommitSessions, options: Options): Promise<number> {
  if (options.json) {
    printJson(io, found);
    return 0;
  }
  if (!found.handoffs.length) {
    io.stdout.write(await noneText(io, ws, found.commit));
    return 0;
  }
  const rows = found.handoffs.map((one) => [versionOf(one), one.agent, one.session, one.how === 'files' ? 'files (a guess)' : one.how]);
  io.stdout.write(await tableFor(io.stdout, ['version', 'agent', 'session', 'found by'], rows, () => ({ rows, spare: [1, 2] })));
  const unrecorded = found.handoffs.filter(({ version }) => version === null);
  io.stderr.write(await unrecordedText(ws, unrecorded));
  return 0;
}

/** A session may have made a commit and never have been recorded: its file was not found, or it is excluded. */
const versionOf = (one: Behind): string => (one.version === null ? unrecordedName(one) : `${one.handoff}@${one.version}`);

async function logHandoff(io: Io, ws: Workspace, name: string, options: Options): Promise<number> {
  const { handoff, versions, cards } = await logOf(ws, name);
  if (options.json) {
    printJson(io, { handoff, versions });
    return 0;
  }
  const newest = versions.toReversed();
  const row = (v: VersionInfo, called: string) => [
    `${called}@${v.version}${v.replaced ? ' (kept here only)' : ''}`,
    v.date,
    String(v.records),
    bytes(v.bytes),
    String(v.redactions),
    v.commit.slice(0, 12),
  ];
  const narrow = () => {
    const [short = handoff] = shortHandoffs(
      cards.filter((card) => card.handoff === handoff),
      cards,
    );
    return { rows: newest.map((v) => row(v, short)), spare: [5, 4] };
  };
  const whole = newest.map((v) => row(v, handoff));
  io.stdout.write(await tableFor(io.stdout, ['version', 'date', 'records', 'size', 'redactions', 'stored as'], whole, narrow));
  return 0;
}
