import type { Adapter, ContextUse, Resume } from '#adapters/adapter.ts';
import { adapters } from '#adapters/registry.ts';
import { RelayError } from '#lib/errors.ts';
import { acceptedRemote } from './consent.ts';
import { needAdapter } from './find.ts';
import { importSession } from './import.ts';
import { recordSession } from './record.ts';
import { sendUnasked } from './send.ts';
import { percentOf, whenDue } from './watch-marks.ts';
import { noticeOf } from './watch-notice.ts';
import { type Workspace, whereOf } from './workspace.ts';

/** A session on this machine, with its main file. */
export interface Watched {
  agent: string;
  session: string;
  path: string;
}

/** What was done for a session whose context is nearly full. An entry of `watch --json`. */
export interface HandedOn {
  agent: string;
  session: string;
  tokens: number;
  window: number;
  percent: number;
  /** `<writer>/<session>@<n>`; none where it may not be stored, or could not be */
  handoff?: string;
  sent: boolean;
  /** the session that it became in the standby agent */
  imported?: { agent: string; session: string; resume: Resume };
  /** what could not be done, in sentences */
  problems: string[];
  /** all of it for the person, with the command that goes on */
  notice: string;
}

/** How full the context of a session is, of the window that the settings name or else the client. undefined: no answer yet. */
export async function contextUseOf(ws: Workspace, { agent, path }: Watched): Promise<ContextUse | undefined> {
  const adapter = needAdapter(agent);
  const where = whereOf(ws, agent);
  const own = await adapter.contextUse?.(where, { path, streams: [] });
  // Only a thread that was just rewound or forked has its count elsewhere.
  const use = own ?? (await adapter.contextUse?.(where, await adapter.open(where, path, { brief: true })));
  return use && { ...use, window: ws.settings.agents[agent]?.window ?? use.window };
}

/**
 * Records a session whose context has become nearly full and imports it into the standby agent, once until it has grown by a tenth. undefined: that is
 * not due, or another process does it.
 * @param send whether it is sent too, where that was accepted
 */
export async function handOnWhenFull(ws: Workspace, watched: Watched, use: ContextUse, { send }: { send: boolean }): Promise<HandedOn | undefined> {
  const { home } = await ws.store();
  return whenDue(home, watched, use, ws.settings.watch.at, () => handOn(ws, watched, use, send));
}

async function handOn(ws: Workspace, watched: Watched, use: ContextUse, send: boolean): Promise<HandedOn> {
  const { agent, session } = watched;
  const done: Omit<HandedOn, 'notice'> = { agent, session, ...use, percent: percentOf(use), sent: false, problems: [] };
  await trying(done, 'It is not stored', async () => {
    const { handoff, version } = await recordSession(ws, watched);
    done.handoff = `${handoff}@${version}`;
  });
  if (send && done.handoff) await trying(done, 'It is not sent', () => sendOne(ws, watched, done));
  const standby = standbyFor(ws, agent);
  if (standby) await trying(done, `It is not imported into ${standby.title}`, () => importOne(ws, watched, standby, done));
  const other = standby ?? adapters.find(({ id }) => id !== agent) ?? needAdapter(agent);
  return { ...done, notice: noticeOf(done, other.id) };
}

/** Whatever fails in one step must not keep the others from being done. */
async function trying({ problems }: Pick<HandedOn, 'problems'>, otherwise: string, step: () => Promise<void>): Promise<void> {
  try {
    await step();
  } catch (error) {
    problems.push(`${otherwise}: ${error instanceof RelayError ? error.message : (error as Error).message}`);
  }
}

async function sendOne(ws: Workspace, { agent, path }: Watched, done: Pick<HandedOn, 'handoff' | 'sent'>): Promise<void> {
  const remote = await acceptedRemote(ws);
  if (!remote) return;
  const card = await needAdapter(agent).open(whereOf(ws, agent), path);
  const { prepared } = await sendUnasked(ws, remote, [card], acceptedRemote);
  for (const { handoff, version } of prepared) done.handoff = `${handoff}@${version}`;
  done.sent = true;
}

/** A session that is imported into its own agent would be just as full there. */
function standbyFor({ settings }: Workspace, agent: string): Adapter | undefined {
  const { standby } = settings.watch;
  return !standby || standby === agent ? undefined : needAdapter(standby);
}

async function importOne(ws: Workspace, { agent, path }: Watched, standby: Adapter, done: Pick<HandedOn, 'imported'>): Promise<void> {
  const adapter = needAdapter(agent);
  const card = await adapter.open(whereOf(ws, agent), path);
  const { session, resume } = await importSession(ws, { kind: 'local', adapter, card }, { to: standby.id });
  done.imported = { agent: standby.id, session, resume };
}
