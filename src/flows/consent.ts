import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, parseJson } from '#lib/json.ts';
import type { Store } from '#store/types.ts';
import { replaceFile } from './registry.ts';

const consentPath = (store: Store): string => join(store.home, 'consent.json');
/** A URL may hold a password, so only its digest is kept. */
const digest = (url: string): string => createHash('sha256').update(url).digest('hex');

async function readConsent(store: Store): Promise<Record<string, unknown>> {
  const value = parseJson(await readFile(consentPath(store), 'utf8').catch(() => '{}'));
  return isObject(value) ? value : {};
}

/** True when this clone has sent to this URL before. */
export const consentFor = async (store: Store, url: string): Promise<boolean> => (await readConsent(store))[digest(url)] === true;

/** Remembers that sending to this URL was agreed to. */
export async function rememberConsent(store: Store, url: string): Promise<void> {
  const all = await readConsent(store);
  if (all[digest(url)] === true) return;
  await replaceFile(consentPath(store), `${JSON.stringify({ ...all, [digest(url)]: true }, null, 2)}\n`);
}
