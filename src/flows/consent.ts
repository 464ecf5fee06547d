import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { countingFor } from '#config/index.ts';
import { isObject, type Json } from '#lib/json.ts';
import { readJsonFile, writeWhole } from '#store/files.ts';
import type { Remote, Store } from '#store/types.ts';
import type { Workspace } from './workspace.ts';

const consentPath = (store: Store): string => join(store.home, 'consent.json');
/** A URL may hold a password, so only its digest is kept. */
const digest = (url: string): string => createHash('sha256').update(url).digest('hex');

async function readConsent(store: Store): Promise<Record<string, unknown>> {
  const value = (await readJsonFile(consentPath(store))) as Json | undefined;
  return isObject(value) ? value : {};
}

/** True when this clone has sent to this URL before. */
export const consentFor = async (store: Store, url: string): Promise<boolean> => (await readConsent(store))[digest(url)] === true;

/** Remembers that sending to this URL was agreed to. */
export async function rememberConsent(store: Store, url: string): Promise<void> {
  const all = await readConsent(store);
  if (all[digest(url)] === true) return;
  await writeWhole(consentPath(store), `${JSON.stringify({ ...all, [digest(url)]: true }, null, 2)}\n`);
}

/** The remote that may be sent to unasked: `push.auto` is set and accepted, no other remote that .relayrc asks for waits to be accepted, and something was sent there before. */
export async function acceptedRemote(ws: Workspace): Promise<Remote | undefined> {
  if (!ws.settings.push.auto || countingFor(ws.unaccepted, ['send']).length) return undefined;
  const remote = await ws.remote().catch(() => undefined);
  return remote && (await consentFor(await ws.store(), remote.url)) ? remote : undefined;
}
