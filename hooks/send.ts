import { join } from 'node:path';
import { acceptedRemote } from '#flows/consent.ts';
import { localSessions } from '#flows/find.ts';
import { heldBackFrom } from '#flows/held-back.ts';
import { prepare } from '#flows/prepare.ts';
import { sendPrepared } from '#flows/send.ts';
import { isExcluded } from '#flows/work.ts';
import type { Workspace } from '#flows/workspace.ts';
import { RelayError } from '#lib/errors.ts';
import type { SessionCard } from '#session/source.ts';
import { readJsonFile, writeWhole } from '#store/files.ts';
import { sessionName } from '#store/index.ts';
import { pause } from '#store/lock.ts';
import type { Remote } from '#store/types.ts';
import { log } from './log.ts';

/** At most one push in this time, in ms: hosts ask for no more than a few a minute. */
const APART = 60_000;

/**
 * Sends what the remote lacks of this clone's handoffs, where `push.auto` is set and accepted and something was sent to that remote before.
 * Waits until a minute after the last time has passed. Answers whether anything may have come meanwhile.
 */
export async function sendWhereAccepted(ws: Workspace): Promise<boolean> {
  const remote = await acceptedRemote(ws);
  if (!remote) return false;
  const cards = await unsentSessions(ws, remote);
  if (!cards.length) return false;
  const { home } = await ws.store();
  const path = join(home, 'sent.json');
  const last = (await readJsonFile(path)) as { at?: number } | undefined;
  const wait = (last?.at ?? 0) + APART - Date.now();
  if (wait > 0) await pause(Math.min(wait, APART));
  await writeWhole(path, JSON.stringify({ at: Date.now() }));
  return (await send(ws, remote, cards, home)) && wait > 0;
}

async function unsentSessions(ws: Workspace, remote: Remote): Promise<SessionCard[]> {
  const store = await ws.store();
  const unsent = new Set(await store.unsent(remote));
  if (!unsent.size) return [];
  const writer = await store.writer();
  const heldBack = await heldBackFrom(ws, remote);
  return (await localSessions(ws)).filter((card) => unsent.has(`${writer}/${sessionName(card.agent, card.id)}`) && !isExcluded(ws, card) && !heldBack(card));
}

async function send(ws: Workspace, remote: Remote, cards: readonly SessionCard[], home: string): Promise<boolean> {
  const began = performance.now();
  const tell = (more: { bytes?: number; error?: string }): Promise<void> =>
    log(home, { at: ws.now().toISOString(), ms: Math.round(performance.now() - began), did: 'send', ...more });
  try {
    const prepared = [];
    for (const card of cards) prepared.push(await prepare(ws, card, remote));
    await tell({ bytes: (await sendPrepared(ws, remote, cards, prepared, [], async () => {})) ?? 0 });
    return true;
  } catch (error) {
    // The next event tries again, and `relay status` says what is not sent.
    await tell({ error: error instanceof RelayError ? error.message : String(error) });
    return false;
  }
}
