import { isDeepStrictEqual } from 'node:util';
import { RelayError } from '#lib/errors.ts';
import type { SessionCard } from '#session/source.ts';
import type { Remote } from '#store/types.ts';
import { rememberConsent } from './consent.ts';
import { workspace } from './context.ts';
import { gate, gateStrange } from './gate.ts';
import { makeAnew, type Prepared, prepare } from './prepare.ts';
import { needNotPurged } from './push.ts';
import { sentTo } from './sent-to.ts';
import { isExcluded } from './work.ts';
import type { Workspace } from './workspace.ts';

/**
 * Scans what would leave, asks, and sends it. Marks in `prepared` what the remote lacked, and how it is called after the sending.
 * @param cards the sessions that `prepared` was made of, in the same order; `names` as they were typed, for the same sessions
 * @param agreed called when nothing but the consent is missing; throws where there is none
 * @returns bytes that git reports as sent; undefined: the remote has all of it
 */
export async function sendPrepared(
  ws: Workspace,
  remote: Remote,
  cards: readonly SessionCard[],
  prepared: Prepared[],
  names: readonly string[],
  agreed: () => Promise<void>,
): Promise<number | undefined> {
  const store = await ws.store();
  const pending = await store.unsent(remote);
  const toSend = prepared.filter((p) => pending.includes(p.handoff));
  for (const p of prepared) p.pending = pending.includes(p.handoff);
  if (!toSend.length) return undefined;
  ws.progress('scanning what would leave');
  await gate(ws, remote, toSend, (handoffs) => makeAnew(ws, remote, cards, prepared, handoffs));
  await agreed();
  ws.progress(`sending to ${sentTo(remote)}`);
  const recheck = async (handoffs: string[]): Promise<void> => {
    await needNotPurged(ws, remote, cards, names);
    await gate(
      ws,
      remote,
      toSend.map((p, i) => ({ ...p, handoff: handoffs[i] ?? p.handoff })),
    );
  };
  const { bytes, sent } = await store.send(
    remote,
    toSend.map((p) => p.handoff),
    recheck,
  );
  renamed(prepared, sent);
  await rememberConsent(ws, remote);
  return bytes;
}

/** The remote that may be sent to unasked, as things stand in this workspace. */
export type MaySendTo = (ws: Workspace) => Promise<Remote | undefined>;

/**
 * Stores what is new in sessions and sends them without a question: for where that was agreed to before. Answers them as sent, and the bytes that git reports.
 * @param maySendTo asked once more when nothing but the sending is left to do. RelayError `blocked` where it answers another remote by then, or none
 */
export async function sendUnasked(
  ws: Workspace,
  remote: Remote,
  cards: readonly SessionCard[],
  maySendTo: MaySendTo,
): Promise<{ prepared: Prepared[]; bytes: number }> {
  await gateStrange(ws, remote, cards);
  const prepared: Prepared[] = [];
  for (const card of cards) prepared.push(await prepare(ws, card, remote));
  const agreed = (): Promise<void> => needStillAllowed(ws, remote, cards, maySendTo);
  const bytes = (await sendPrepared(ws, remote, cards, prepared, [], agreed)) ?? 0;
  return { prepared, bytes };
}

/** Reading and scanning takes its time, in which somebody may have changed the settings or the remote, or taken relay out. */
async function needStillAllowed(ws: Workspace, remote: Remote, cards: readonly SessionCard[], maySendTo: MaySendTo): Promise<void> {
  const now = await workspace(ws);
  const to = await maySendTo(now);
  if (isDeepStrictEqual(to, remote) && !cards.some((card) => isExcluded(now, card))) return;
  throw new RelayError('blocked', 'What may be sent, or where to, was changed meanwhile, so nothing was sent.', 'What is not sent yet: relay status');
}

/** A clone that finds its name taken sends under a new one: the handoffs are then called otherwise than when they were made. */
function renamed(prepared: Prepared[], sent: { handoff: string; commit: string; n: number }[]): void {
  const session = (handoff: string) => handoff.slice(handoff.indexOf('/') + 1);
  for (const p of prepared) {
    const now = sent.find((s) => session(s.handoff) === session(p.handoff));
    if (now) Object.assign(p, { handoff: now.handoff, version: now.n, commit: now.commit });
  }
}
