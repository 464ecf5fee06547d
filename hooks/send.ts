import { join } from 'node:path';
import { needAccepted } from '#flows/accepted.ts';
import { acceptedRemote, consentFor } from '#flows/consent.ts';
import { workspace } from '#flows/context.ts';
import { localSessions } from '#flows/find.ts';
import { heldBackFrom } from '#flows/held-back.ts';
import { type MaySendTo, sendUnasked } from '#flows/send.ts';
import { withoutUntouchedImports } from '#flows/untouched.ts';
import { isExcluded } from '#flows/work.ts';
import type { Workspace } from '#flows/workspace.ts';
import { stopRunning } from '#git/run.ts';
import type { SessionCard } from '#session/source.ts';
import { readJsonFile, writeWhole } from '#store/files.ts';
import { sessionName } from '#store/index.ts';
import { pause } from '#store/lock.ts';
import type { Remote, Store } from '#store/types.ts';
import { logged } from './log.ts';

/** At most one push in this time, in ms: hosts ask for no more than a few a minute. */
const APART = 60_000;
/** A remote that does not answer is given up after this, in ms: what is recorded meanwhile would wait. */
const PATIENCE = 120_000;

/**
 * Sends what the remote lacks of this clone's handoffs, where `push.auto` is set and accepted and something was sent to that remote before.
 * Waits until a minute after the last time has passed. Answers whether anything may have come meanwhile.
 */
export async function sendWhereAccepted(ws: Workspace): Promise<boolean> {
  if (!(await unsentWhereAccepted(ws))) return false;
  const path = join((await ws.store()).home, 'sent.json');
  const last = (await readJsonFile(path)) as { at?: number } | undefined;
  const wait = (last?.at ?? 0) + APART - Date.now();
  if (wait > 0) await pause(Math.min(wait, APART));
  // In a minute the settings can change, the remote too, and relay can be taken out of the repository.
  const now = wait > 0 ? await workspace(ws) : ws;
  const unsent = await unsentWhereAccepted(now);
  if (!unsent) return false;
  await writeWhole(path, JSON.stringify({ at: Date.now() }));
  return !(await within(PATIENCE, send(now, unsent.remote, unsent.cards, acceptedRemote))) && wait > 0;
}

async function unsentWhereAccepted(ws: Workspace): Promise<{ remote: Remote; cards: SessionCard[] } | undefined> {
  const remote = await acceptedRemote(ws);
  const cards = remote ? await unsentSessions(ws, remote) : [];
  return remote && cards.length ? { remote, cards } : undefined;
}

/**
 * Sends along with a push of the user's own to `to`, a remote's name or address, where relay sends to that one, or to one of its own (store.remote): what is
 * new in the sessions that are shared there, and in all others only where `push.auto` is accepted. Answers what the user must know of what is not sent, in
 * one line. RelayError `unaccepted` where .relayrc asks for another remote, or for `push.auto`, and that waits to be accepted.
 */
export async function sendAlong(ws: Workspace, to: string): Promise<string | undefined> {
  const remote = await ws.remote().catch(() => undefined);
  if (!remote || (remote.name !== to && remote.url !== to && !ws.settings.store.remote)) return undefined;
  const unsent = await unsentSessions(ws, remote);
  if (!unsent.length) return undefined;
  needAccepted(ws, 'git push');
  const store = await ws.store();
  if (!(await consentFor(ws, remote))) return `relay: ${pending(unsent)}; the first push to a remote is for you to type: relay push`;
  const cards = ws.settings.push.auto ? unsent : await ofHandoffs(store, await store.shared(remote), unsent);
  const problem = cards.length ? await send(ws, remote, cards, agreedRemote) : undefined;
  return problem && `relay: ${pending(cards)}: ${problem} To send: relay push`;
}

/** Whoever pushes by hand has asked for what goes along, once something was sent there before. */
const agreedRemote: MaySendTo = async (ws) => {
  const remote = await ws.remote();
  return (await consentFor(ws, remote)) ? remote : undefined;
};

const pending = ({ length }: readonly SessionCard[]): string => `${length} session${length === 1 ? ' is' : 's are'} not sent yet`;

/** What is stored, not sent, and may be. */
async function unsentSessions(ws: Workspace, remote: Remote): Promise<SessionCard[]> {
  const store = await ws.store();
  const handoffs = await store.unsent(remote);
  if (!handoffs.length) return [];
  const unsent = await ofHandoffs(store, handoffs, await localSessions(ws));
  const heldBack = await heldBackFrom(ws, remote);
  return withoutUntouchedImports(
    ws,
    unsent.filter((card) => !isExcluded(ws, card) && !heldBack(card)),
  );
}

async function ofHandoffs(store: Store, handoffs: readonly string[], cards: readonly SessionCard[]): Promise<SessionCard[]> {
  const writer = await store.writer();
  return cards.filter(({ agent, id }) => handoffs.includes(`${writer}/${sessionName(agent, id)}`));
}

/** Answers why nothing was sent; undefined: it was. The next event tries again, and `relay status` says what is not sent. */
async function send(ws: Workspace, remote: Remote, cards: readonly SessionCard[], maySendTo: MaySendTo): Promise<string | undefined> {
  const failed = await logged(ws, { did: 'send' }, async () => ({ bytes: (await sendUnasked(ws, remote, cards, maySendTo)).bytes }));
  return failed?.error;
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
