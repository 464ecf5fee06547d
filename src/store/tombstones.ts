import { join } from 'node:path';
import * as z from 'zod';
import { RelayError } from '#lib/errors.ts';
import { asArray, asObject, type Json, parseJson } from '#lib/json.ts';
import { rootId } from './draft.ts';
import { readJsonFile, writeWhole } from './files.ts';
import { takeLock } from './lock.ts';
import { isPart } from './names.ts';
import type { Side } from './side.ts';
import { idBytes, treeEntries } from './tree.ts';
import type { PurgedHandoff } from './types.ts';

/** Larger than this it is no tombstone: 100 bytes for each commit and object of a very long history. */
const LARGEST = 16 * 1024 * 1024;
/** More of one writer are not followed. */
const MOST = 1000;

const objectId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
const becomes = z.array(z.tuple([objectId, objectId.nullable()]));
/** Of versions; more than anybody has. */
const count = z.number().int().min(0).max(1_000_000);
const handoffName = z.string().refine((name) => name.split('/').length === 2 && name.split('/').every(isPart));

const schema = z.looseObject({
  format: z.literal('relay-tombstone'),
  format_version: z.literal(1),
  id: z.string().regex(/^[0-9a-f]{32}$/),
  by: z.string().refine(isPart),
  at: z.iso.datetime(),
  handoffs: z.array(
    z.looseObject({
      handoff: handoffName,
      last: count,
      gone: z.boolean().optional(),
      versions: z.array(count).optional(),
      edited: z.array(count).optional(),
      /** here only: the remote never had it, and is not told of it */
      unsent: z.boolean().optional(),
    }),
  ),
  commits: becomes,
  blobs: becomes,
});

/**
 * What was purged, for every clone that still has it: ids only, never the value and nothing made of it alone. `handoffs`: `last` is the highest number
 * that a version of it had; `gone`: all of it was purged; `versions`: these were; `edited`: out of these a value was taken. `commits` and `blobs`: what an old id became, null for nothing.
 */
export type Tombstone = z.infer<typeof schema>;

/** A tombstone as this clone remembers it. */
export interface Kept extends Tombstone {
  /** key of the remote that it holds for; "" for none */
  remote: string;
  /** true: this clone has done what it says */
  settled: boolean;
}

/** What stands in the place of a value that this tombstone is about. It says nothing of the value. */
export const markOf = (id: string): string => `[REDACTED:purged:${id.slice(0, 8)}]`;

export const tombstonePath = (id: string): string => `tombstones/${id}.json`;
export const tombstoneJson = ({ remote: _, settled: __, ...tombstone }: Kept): string =>
  `${JSON.stringify({ ...tombstone, handoffs: tombstone.handoffs.filter(({ unsent }) => !unsent) })}\n`;

/** Reads a tombstone; it may come from anybody who can push. Undefined where it is none. */
export function readTombstone(bytes: Buffer): Tombstone | undefined {
  if (bytes.length > LARGEST) return undefined;
  return schema.safeParse(parseJson(bytes.toString('utf8'))).data;
}

const fileOf = (side: Side): string => join(side.home, 'tombstones.json');

/** All that this clone knows of, its own and those of others. */
export async function keptTombstones(side: Side): Promise<Kept[]> {
  const file = asObject((await readJsonFile(fileOf(side))) as Json | undefined);
  return asArray(file?.tombstones).flatMap((one) => {
    const { data } = schema.safeParse(one);
    const entry = asObject(one);
    return data && entry ? [{ ...data, remote: String(entry.remote ?? ''), settled: entry.settled === true }] : [];
  });
}

/** Adds tombstones, or replaces those of the same id. */
export async function keepTombstones(side: Side, tombstones: readonly Kept[]): Promise<void> {
  if (!tombstones.length) return;
  await change(side, (before) => {
    const all = new Map(before.map((one) => [one.id, one]));
    for (const one of tombstones) all.set(one.id, one);
    return [...all.values()];
  });
}

const unnamed = <T extends Tombstone>(one: T, isForgotten: (handoff: string) => boolean): T => ({
  ...one,
  handoffs: one.handoffs.filter(({ handoff }) => !isForgotten(handoff)),
});

/** A tombstone as it is sent, without these names; undefined where it is none. */
export function withoutNames(bytes: Buffer, isForgotten: (handoff: string) => boolean): string | undefined {
  const tombstone = readTombstone(bytes);
  return tombstone && `${JSON.stringify(unnamed(tombstone, isForgotten))}\n`;
}

/** Takes names of handoffs out of what is remembered; what must not come back stays known by its ids. */
export async function forgetNames(side: Side, isForgotten: (handoff: string) => boolean): Promise<void> {
  if (!(await keptTombstones(side)).some(({ handoffs }) => handoffs.some(({ handoff }) => isForgotten(handoff)))) return;
  await change(side, (all) => all.map((one) => unnamed(one, isForgotten)));
}

async function change(side: Side, made: (all: Kept[]) => Kept[]): Promise<void> {
  const lock = await takeLock(join(side.home, 'beside'), 'tombstones', 20_000);
  try {
    await writeWhole(fileOf(side), `${JSON.stringify({ tombstones: made(await keptTombstones(side)) })}\n`);
  } finally {
    await lock.release();
  }
}

/**
 * Takes up the tombstones that writers have in their indexes. One that was learned elsewhere and is not followed yet holds for this remote from now on: it may
 * be the same one at another address.
 * @returns those of this remote that this clone has still to follow
 */
export async function learnTombstones(side: Side, remote: string, indexes: readonly { writer: string; tip: string }[]): Promise<Kept[]> {
  const known = new Map((await keptTombstones(side)).map((one) => [one.id, one]));
  const fresh: Kept[] = [];
  for (const { writer, tip } of indexes)
    for (const { id, blob } of (await tombstonesIn(side, tip)).slice(0, MOST)) {
      const before = known.get(id);
      if (before?.settled || before?.remote === remote) continue;
      const object = await side.objects.get(blob);
      const tombstone = object && readTombstone(object.bytes);
      if (tombstone?.id !== id || tombstone.by !== writer) continue;
      const one = { ...(before ?? tombstone), remote, settled: false };
      known.set(id, one);
      fresh.push(one);
    }
  await keepTombstones(side, fresh);
  return [...known.values()].filter((one) => !one.settled && one.remote === remote);
}

/** The tombstones of an index commit, by the names of their files. */
export async function tombstonesIn(side: Side, index: string): Promise<{ id: string; blob: string }[]> {
  const tree = await side.objects.get(`${index}:tombstones`);
  if (tree?.type !== 'tree') return [];
  return treeEntries(tree.bytes, idBytes(side)).flatMap(({ mode, name, id }) => {
    const match = /^([0-9a-f]{32})\.json$/.exec(name);
    return match && mode === '100644' ? [{ id: match[1] as string, blob: id }] : [];
  });
}

/** Objects that must not come back: commits and blobs of all tombstones. */
export async function purgedObjects(side: Side): Promise<Set<string>> {
  const ids = new Set((await keptTombstones(side)).flatMap(({ commits, blobs }) => [...commits, ...blobs].map(([old]) => old)));
  // A tombstone that names what every chain reaches would stop everything.
  ids.delete(rootId(side.repository.objectFormat));
  return ids;
}

/** What tombstones say of each handoff that something was taken from. One whose history alone changed, since it went on from what is gone, is not among them. */
export const purgesIn = (tombstones: readonly Tombstone[]): PurgedHandoff[] =>
  tombstones.flatMap(({ handoffs, by, at }) =>
    handoffs.flatMap(({ handoff, last, gone = false, versions = [], edited = [] }) =>
      gone || versions.length || edited.length ? [{ handoff, by, at, last, gone, versions, edited }] : [],
    ),
  );

/** The tombstone that took all of a handoff, the newest where there are several. */
export const goneBy = (tombstones: readonly Kept[], handoff: string): Kept | undefined =>
  tombstones.findLast((one) => one.handoffs.some((entry) => entry.gone && entry.handoff === handoff));

/** Says of a handoff that is not there that all of it was purged, where it was. */
export function needNotGone(tombstones: readonly Kept[], handoff: string): void {
  const purged = goneBy(tombstones, handoff);
  if (purged) throw new RelayError('not-found', `${handoff} was purged by ${purged.by} on ${purged.at.slice(0, 10)}.`, 'See what there is: relay list');
}

/** The highest number that a purged version of a handoff had, 0 for none: numbers are never used again. */
export async function lastPurged(side: Side, handoff: string): Promise<number> {
  const entries = (await keptTombstones(side)).flatMap((one) => one.handoffs).filter((entry) => entry.handoff === handoff);
  return Math.max(0, ...entries.map(({ last }) => last));
}
