import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '#lib/json.ts';
import type { KnownValue, Layer } from '#redact/index.ts';
import { type RememberedValue, remember, rememberedLayer, stateOf } from '#redact/known/remembered.ts';
import { readJsonFile, writeWhole } from '#store/files.ts';
import { takeLock } from '#store/lock.ts';
import type { Store } from '#store/types.ts';

/**
 * `learned.json` beside the store: what was found secret in this clone, as length and keyed digests, so that it is found again in other
 * sessions and later. {version: 1, key: id of the key that the digests were made with, values: [{kind, length, print, start}]}
 */
const fileOf = (store: Store): string => join(store.home, 'learned.json');
const VERSION = 1;
/** The oldest are forgotten beyond this: 50 make the redactor 12 % slower, 500 about 40 %. */
const VALUES_MAX = 500;
/** Kind of a value that was purged. It stays when it is found again in another way, and the others never take its place. */
export const PURGED = 'purged';
const PURGED_MAX = 2000;
/** ms to wait for another process that writes */
const PATIENCE = 20_000;

interface Kept {
  values: RememberedValue[];
  /** what a later version of relay wrote: kept as it is */
  others: Json[];
  fields: JsonObject;
}

const keyId = (key: Buffer): string => createHmac('sha256', key).update('learned values').digest('hex').slice(0, 8);

function isRemembered(value: Json): boolean {
  return (
    isObject(value) &&
    typeof value.kind === 'string' &&
    /^[a-z0-9]{1,12}$/.test(value.kind) &&
    Number.isInteger(value.length) &&
    Number.isInteger(value.start) &&
    typeof value.print === 'string' &&
    /^[0-9a-f]{64}$/.test(value.print)
  );
}

/** Digests of another key can never be matched again. */
async function read(store: Store, id: string): Promise<Kept> {
  const file = (await readJsonFile(fileOf(store))) as Json | undefined;
  if (!isObject(file) || file.key !== id || !Array.isArray(file.values)) return { values: [], others: [], fields: {} };
  const { values, ...fields } = file;
  return {
    values: (values as Json[]).filter(isRemembered) as unknown as RememberedValue[],
    others: (values as Json[]).filter((value) => !isRemembered(value)),
    fields,
  };
}

/** The values that were found before in this clone, oldest first. */
export async function rememberedValues(store: Store, key: Buffer): Promise<RememberedValue[]> {
  return (await read(store, keyId(key))).values;
}

let latest: Layer | undefined;

/** Finds them; no layer where there is none. */
export async function rememberedLayers(store: Store, key: Buffer): Promise<Layer[]> {
  const values = await rememberedValues(store, key);
  if (!values.length) return [];
  // Made once a run, unless more was learned.
  if (latest?.state !== stateOf(values)) latest = rememberedLayer(key, values);
  return [latest as Layer];
}

/** Remembers values for later runs, beside those of other processes. */
export async function rememberValues(store: Store, key: Buffer, values: readonly KnownValue[]): Promise<void> {
  const id = keyId(key);
  const news = values.flatMap((value) => remember(key, value) ?? []);
  if (!missing(await read(store, id), news).length) return;
  const lock = await takeLock(join(store.home, 'lock'), 'learned', PATIENCE);
  try {
    const kept = await read(store, id);
    const file = { version: VERSION, ...kept.fields, key: id, values: [...together(kept, missing(kept, news)), ...kept.others] };
    await writeWhole(fileOf(store), `${JSON.stringify(file)}\n`);
  } finally {
    await lock.release();
  }
}

/** What is not kept yet, or was found before and is purged now. */
function missing({ values }: Kept, news: readonly RememberedValue[]): RememberedValue[] {
  const kinds = new Map(values.map(({ print, kind }) => [print, kind]));
  return news.filter(({ print, kind }) => !kinds.has(print) || (kind === PURGED && kinds.get(print) !== PURGED));
}

/** The newest of each sort, as far as there is room. */
function together({ values }: Kept, more: readonly RememberedValue[]): RememberedValue[] {
  const changed = new Set(more.map(({ print }) => print));
  const all = [...values.filter(({ print }) => !changed.has(print)), ...more];
  const isPurged = ({ kind }: RememberedValue): boolean => kind === PURGED;
  return [...all.filter(isPurged).slice(-PURGED_MAX), ...all.filter((one) => !isPurged(one)).slice(-VALUES_MAX)];
}
