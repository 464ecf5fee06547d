import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isObject, type JsonObject } from '#lib/json.ts';
import { type Range, without } from '#lib/json-edit.ts';
import { readJsonFile, writeWhole } from '#store/files.ts';

/**
 * What relay put into settings files, so that it can be taken out again to the byte: by file, the digest of the text that relay left, where in it
 * relay's parts stand, and whether the file and its folder were new. Nothing of the settings themselves. It lies in the user's state; without it relay's hooks are
 * still found and taken out, but an object or list that was empty before is then taken out with them.
 */
interface Memory {
  /** SHA-256 of the text as relay left it */
  left: string;
  put: Range[];
  made: boolean;
  /** the topmost folder that was made for it, if any */
  folder?: string;
}

/** What is to be remembered of a file: its text as relay left it. */
export type Left = Omit<Memory, 'left'> & { text: string };

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const pathIn = (state: string): string => join(state, 'agent-hooks.json');

async function readAll(state: string): Promise<JsonObject> {
  const all = await readJsonFile(pathIn(state));
  return isObject(all) ? all : {};
}

const writeAll = (state: string, all: JsonObject): Promise<void> => writeWhole(pathIn(state), `${JSON.stringify(all)}\n`);

/** @param state relay's folder in the user's state */
export async function remember(state: string, file: string, { text, ...more }: Left): Promise<void> {
  await writeAll(state, { ...(await readAll(state)), [file]: { left: digest(text), ...more } });
}

/** The topmost folder that relay made for a file. */
export async function folderMadeFor(state: string, file: string): Promise<string | undefined> {
  const known = (await readAll(state))[file];
  return isMemory(known) ? known.folder : undefined;
}

export async function forget(state: string, file: string): Promise<void> {
  const { [file]: known, ...others } = await readAll(state);
  if (known !== undefined) await writeAll(state, others);
}

/** The text as it was before relay put anything into it, null where there was none. undefined: relay does not know, because it was changed since. */
export async function formerText(state: string, file: string, text: string): Promise<string | null | undefined> {
  const known = (await readAll(state))[file];
  if (!isMemory(known) || known.left !== digest(text)) return undefined;
  return known.made ? null : without(text, known.put);
}

const isMemory = (value: unknown): value is Memory =>
  isObject(value) &&
  typeof value.left === 'string' &&
  typeof value.made === 'boolean' &&
  ['string', 'undefined'].includes(typeof value.folder) &&
  Array.isArray(value.put) &&
  value.put.every(isRange);

const isRange = (value: unknown): boolean => Array.isArray(value) && value.length === 2 && value.every(Number.isInteger);
