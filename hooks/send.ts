import { join } from 'node:path';
import { acceptedRemote, agreedRemote } from '#flows/consent.ts';
import { localSessions } from '#flows/find.ts';
import { heldBackFrom } from '#flows/held-back.ts';
import { prepare } from '#flows/prepare.ts';
import { sendPrepared } from '#flows/send.ts';
import { isExcluded } from '#flows/work.ts';
import type { Workspace } from '#flows/workspace.ts';
import { stopRunning } from '#git/run.ts';
import { RelayError } from '#lib/errors.ts';
import type { SessionCard } from '#session/source.ts';
import { readJsonFile, writeWhole } from '#store/files.ts';
import { sessionName } from '#store/index.ts';
import { pause } from '#store/lock.ts';
import type { Remote } from '#store/types.ts';
import { type Entry, log } from './log.ts';

/** At most one push in this time, in ms: hosts ask for no more than a few a minute. */
const APART = 60_000;
/** A remote that does not answer is given up after this, in ms: what is recorded meanwhile would wait. */
const PATIENCE = 120_000;

/**
 * Sends what the remote lacks of this clone's handoffs, where `push.auto` is set and accepted and something was sent to that remote before.
 * Waits until a minute after the last time has passed. Answers whether anything may have come meanwhile.
 */
export async function sendWhereAccepted(ws: Workspace): Promise<boolean> {
  const remote = await acceptedRemote(ws);
  const cards = remote ? await unsentSessions(ws, remote) : [];
  if (!remote || !cards.length) return false;
  const path = join((await ws.store()).home, 'sent.json');
  const last = (await readJsonFile(path)) as { at?: number } | undefined;
  const wait = (last?.at ?? 0) + APART - Date.now();
  if (wait > 0) await pause(Math.min(wait, APART));
  await writeWhole(path, JSON.stringify({ at: Date.now() }));
  return !(await within(PATIENCE, send(ws, remote, cards))) && wait > 0;
}

/**
 * Sends the same along with a push of the user's own to `to`, a remote's name or address, where relay sends to that one, or to one of its own (store.remote).
 * Answers what the user must know of what is not sent, in one line.
 */
export async function sendAlong(ws: Workspace, to: string): Promise<string | undefined> {
  const remote = await ws.remote().catch(() => undefined);
  if (!remote || (remote.name !== to && remote.url !== to && !ws.settings.store.remote)) return undefined;
  const cards = await unsentSessions(ws, remote);
  if (!cards.length) return undefined;
  const pending = `${cards.length} session${cards.length === 1 ? ' is' : 's are'} not sent yet`;
  if (!(await agreedRemote(ws))) return `relay: ${pending}; the first time you send them yourself: relay push`;
  const problem = await send(ws, remote, cards);
  return problem && `relay: ${pending}: ${problem} To send: relay push`;
}

async function unsentSessions(ws: Workspace, remote: Remote): Promise<SessionCard[]> {
  const store = await ws.store();
  const unsent = new Set(await store.unsent(remote));
  if (!unsent.size) return [];
  const writer = await store.writer();
  const heldBack = await heldBackFrom(ws, remote);
  return (await localSessions(ws)).filter((card) => unsent.has(`${writer}/${sessionName(card.agent, card.id)}`) && !isExcluded(ws, card) && !heldBack(card));
}

/** Answers why nothing was sent; undefined: it was. The next event tries again, and `relay status` says what is not sent. */
async function send(ws: Workspace, remote: Remote, cards: readonly SessionCard[]): Promise<string | undefined> {
  const began = performance.now();
  const { home } = await ws.store();
  const tell = (more: Partial<Entry>): Promise<void> =>
    log(home, { at: ws.now().toISOString(), ms: Math.round(performance.now() - began), did: 'send', ...more });
  try {
    const prepared = [];
    for (const card of cards) prepared.push(await prepare(ws, card, remote));
    await tell({ bytes: (await sendPrepared(ws, remote, cards, prepared, [], async () => {})) ?? 0 });
    return undefined;
  } catch (error) {
    const why = error instanceof RelayError ? error.message : String(error);
    await tell({ error: why, ...(error instanceof RelayError ? { code: error.code } : {}) });
    return why;
  }
}

/** What the sending answers, or that it took too long; then the gits that hang are ended. */
async function within(ms: number, sending: Promise<string | undefined>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((done) => {
    timer = setTimeout(() => {
      stopRunning();
      done('The remote does not answer.');
    }, ms);
  });
  return Promise.race([sending, late]).finally(() => clearTimeout(timer));
}
