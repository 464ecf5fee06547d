import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { countingFor } from '#config/index.ts';
import { isObject, parseJson } from '#lib/json.ts';
import { readSealed, type SealedFile, writeSealed } from '#lib/sealed.ts';
import { stateOf } from '#store/homes.ts';
import type { Remote } from '#store/types.ts';
import { addressesOf } from './sent-to.ts';
import type { Workspace } from './workspace.ts';

/** Which addresses sending was agreed to for, in this clone. */
export const consentFile = async (ws: Pick<Workspace, 'store' | 'env' | 'home'>): Promise<SealedFile> => ({
  path: join((await ws.store()).home, 'consent.json'),
  state: stateOf(ws),
});
/** A URL may hold a password, so only its digest is kept. */
const digest = (url: string): string => createHash('sha256').update(url).digest('hex');

async function readConsent(ws: Workspace): Promise<Record<string, unknown>> {
  const value = parseJson((await readSealed(await consentFile(ws))) ?? '{}');
  return isObject(value) ? value : {};
}

/** True when this clone has sent to this remote before: to every address that git sends to for it. */
export async function consentFor(ws: Workspace, remote: Remote): Promise<boolean> {
  const agreed = await readConsent(ws);
  return addressesOf(remote).every((url) => agreed[digest(url)] === true);
}

/** Remembers that sending to this remote was agreed to. A state of the user's that cannot be written costs only this memory: it is asked again. */
export async function rememberConsent(ws: Workspace, remote: Remote): Promise<void> {
  if (await consentFor(ws, remote)) return;
  const agreed = Object.fromEntries(addressesOf(remote).map((url) => [digest(url), true]));
  await writeSealed(await consentFile(ws), `${JSON.stringify({ ...(await readConsent(ws)), ...agreed }, null, 2)}\n`).catch(() => {});
}

/** The remote that may be sent to unasked: `push.auto` is set and accepted, no other remote that .relayrc asks for waits to be accepted, and something was sent there before. */
export async function acceptedRemote(ws: Workspace): Promise<Remote | undefined> {
  if (!ws.settings.push.auto || countingFor(ws.unaccepted, ['send']).length) return undefined;
  const remote = await ws.remote().catch(() => undefined);
  return remote && (await consentFor(ws, remote)) ? remote : undefined;
}
