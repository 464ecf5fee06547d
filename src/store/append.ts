import { join } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import { contains } from './card-index.ts';
import { type Instead, versionDraft } from './draft.ts';
import { readRefs } from './handoffs.ts';
import { jitter, pause, sweepLocks, takeTurn } from './lock.ts';
import { recordsOf } from './manifest.ts';
import { checkPart, replacedRoot, sessionRef } from './names.ts';
import { makeSide, type Side } from './side.ts';
import { LEFT_BEHIND, sweepNamedLock, sweepStore, sweepWhenAlone, wasLocked } from './sweep.ts';
import { tidyStore } from './tidy.ts';
import { lastPurged } from './tombstones.ts';
import { moveRefs } from './transfer.ts';
import type { NewVersion, Store, StoredVersion } from './types.ts';
import { openVersion, writeState } from './version.ts';

/** Attempts when other processes move the ref first. */
const ATTEMPTS = 8;
/** How long a process waits for another one on the same session; a large first push takes some seconds. In ms. */
const PATIENCE = 180_000;

type Build = Parameters<Store['append']>[1];
type Appended = Awaited<ReturnType<Store['append']>>;

/** See Store.append. `parent`: commit that a first version goes on from when `build` names none. */
export async function appendVersion(side: Side, writer: string, session: string, build: Build, parent?: string): Promise<Appended> {
  const ref = sessionRef(writer, checkPart(session, 'session'));
  await makeSide(side);
  const locks = join(side.home, 'lock');
  const { dead, live } = await sweepLocks(locks);
  if (dead) await sweepStore(side.path, live ? LEFT_BEHIND.besideOthers : LEFT_BEHIND.alone);
  const lock = await takeTurn(locks, session, PATIENCE);
  try {
    for (let attempt = 1; ; attempt++) {
      const done = await tryAppend(side, `${writer}/${session}`, ref, build, parent);
      if (!('failed' in done)) {
        if (done.appended) await tidyStore(side);
        return done;
      }
      if (!done.moved || attempt === ATTEMPTS)
        throw new RelayError('failed', `The new version of ${writer}/${session} could not be stored: ${done.failed}`, 'Run the command again.');
      await pause(jitter(100 * attempt));
      if (wasLocked(done.failed)) await sweepNamedLock(side, done.failed);
    }
  } finally {
    await lock.release();
  }
}

async function tryAppend(
  side: Side,
  handoff: string,
  ref: string,
  build: Build,
  parent: string | undefined,
): Promise<Appended | { failed: string; moved: boolean }> {
  const tip = (await side.objects.get(`${ref}^{commit}`))?.id;
  const base = tip ? await openVersion(side, tip, handoff) : null;
  const draft = versionDraft(side, base);
  let built: NewVersion | null;
  try {
    built = await build(base, draft.writer);
    if (built) await draft.finish();
  } catch (error) {
    if (await draft.abort()) await sweepWhenAlone(side, LEFT_BEHIND.aborted);
    throw error;
  }
  if (!built) {
    await draft.abort();
    return { ref: tip ? ref : '', commit: tip ?? '', n: base?.n ?? 0, appended: false };
  }
  const n = Math.max(base?.n ?? 0, await lastPurged(side, handoff)) + 1;
  const instead = base && built.replacesUnsent && draft.anew() ? await lastSent(side, handoff, base.commit) : undefined;
  const stored = await draft.commit(instead ? besideRef(handoff) : ref, handoff, n, built, parent, instead);
  if ('failed' in stored) return stored;
  if (instead && base)
    await moveRefs(side, [
      [ref, stored.commit, base.commit],
      [besideRef(handoff), null],
      ...(losesRecords(base, built) ? [[`${replacedRoot(handoff)}/${base.commit.slice(0, 12)}`, base.commit] as const] : []),
    ]);
  await writeState(side, handoff, stored.commit, built.state);
  return { ref, commit: stored.commit, n, appended: true };
}

/** A session that has become shorter was damaged, or somebody cleared it: what was recorded of it is kept, though it is not sent. */
const losesRecords = (base: StoredVersion, { manifest }: NewVersion): boolean => Number(manifest.records) < recordsOf(base.streams);

/** Where a chain is built that takes the place of another: the ref itself moves in one step. */
const besideRef = (handoff: string): string => `refs/relay-new/${handoff}/${process.pid}`;

/** The newest version that some remote is known to have. Undefined: it is the tip itself, so nothing is unsent. */
async function lastSent(side: Side, handoff: string, tip: string): Promise<Instead | undefined> {
  const { fetched } = await readRefs(side);
  let from: string | undefined;
  for (const sent of fetched.filter((ref) => ref.handoff === handoff)) {
    if (sent.tip === tip) return undefined;
    if ((await contains(side, tip, sent.tip)) && (from === undefined || (await contains(side, sent.tip, from)))) from = sent.tip;
  }
  return { from };
}
