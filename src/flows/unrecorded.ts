import { stat } from 'node:fs/promises';
import { openRegular, readPiece } from '#lib/regular.ts';
import type { SessionCard } from '#session/source.ts';
import type { CaptureState } from './capture.ts';
import { localSessions } from './find.ts';
import { heldBackFrom } from './held-back.ts';
import { withoutUntouchedImports } from './untouched.ts';
import { isExcluded } from './work.ts';
import type { Workspace } from './workspace.ts';

/** A session of this project of which there is more on disk than is recorded in this clone. */
export interface Unrecorded {
  agent: string;
  session: string;
  /** the newest version that is recorded; null: there is none */
  version: number | null;
}

/** This project's sessions that would be recorded: none that the settings exclude, that was purged, or that was imported and not gone on with. */
export async function recordableSessions(ws: Workspace): Promise<SessionCard[]> {
  const cards = await withoutUntouchedImports(
    ws,
    (await localSessions(ws)).filter((card) => !isExcluded(ws, card)),
  );
  const heldBack = await heldBackFrom(ws, undefined);
  return cards.filter((card) => !heldBack(card));
}

/** Those that have grown since they were recorded, or never were. Told by the size of the main file, so that nothing is read of it. */
export async function unrecordedSessions(ws: Workspace): Promise<Unrecorded[]> {
  const cards = await recordableSessions(ws);
  const store = await ws.store();
  const own = new Map((await store.list()).flatMap((one) => (one.state === 'own' ? [[`${one.agent}:${one.session}`, one] as const] : [])));
  const found: Unrecorded[] = [];
  for (const { agent, id: session, path } of cards) {
    const recorded = own.get(`${agent}:${session}`);
    if (!recorded) found.push({ agent, session, version: null });
    else if (await hasGrown(path, (await store.open(recorded.handoff)).state)) found.push({ agent, session, version: recorded.version });
  }
  return found;
}

/** So much is looked at behind what was recorded for the end of a line that was cut then. In bytes. */
const LINE = 64 * 1024;

/** Of a version that this clone did not make itself no state is known, and nothing is claimed. */
async function hasGrown(path: string, state: unknown): Promise<boolean> {
  const main = (state as CaptureState | null)?.streams.main;
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (!main || size <= main.offset) return false;
  // A last line that was cut is recorded as it stood then.
  return !main.torn || (await readAt(path, main.offset)).includes(10);
}

async function readAt(path: string, offset: number): Promise<Buffer> {
  const file = await openRegular(path);
  try {
    return await readPiece(file, offset, LINE);
  } finally {
    await file.close();
  }
}
