import { join } from 'node:path';
import * as z from 'zod';
import { fingerprints, type KnownValue } from '#redact/index.ts';
import { valueFinder } from '#redact/known/value-finder.ts';
import { readJsonFile, writeWhole } from '#store/files.ts';
import type { SentVersion, Store } from '#store/types.ts';
import type { Prepared } from './prepare.ts';
import { redactionOf } from './redaction.ts';
import type { Workspace } from './workspace.ts';

/** A version that was sent with values that were found to be secret only later. */
export interface Exposed {
  handoff: string;
  version: number;
  commit: string;
  /** `<kind>:<fingerprint>` of each */
  values: string[];
  /** what takes this version out of the history; others may hold the same */
  purge: string;
}

const text = z.string();
const schema = z.looseObject({
  /** fingerprints of the values that all sent versions were searched for */
  searched: z.array(text),
  exposed: z.array(z.object({ handoff: text, version: z.number(), commit: text, values: z.array(text), purge: text })),
});

/** `exposed.json` beside the store. */
const fileOf = (store: Store): string => join(store.home, 'exposed.json');
const SEARCHED_MAX = 5000;

/**
 * The versions that were sent with a value that is known to be secret now. The history is read only when there is a value that it was not
 * searched for, or when something was found in it before, which is told until it is gone.
 * @param dryRun true: nothing is written down
 */
export async function exposedVersions(ws: Workspace, prepared: readonly Prepared[], dryRun: boolean): Promise<Exposed[]> {
  const store = await ws.store();
  const key = await store.key();
  const print = fingerprints(key);
  const before = await readKept(store);
  const searched = new Set(before.searched);
  const news = (await secretValues(ws, prepared)).filter((one) => !searched.has(print(one.value)));
  if (!news.length && !before.exposed.length) return [];
  const sent = await store.sent();
  const exposed = joined([...stillSent(before.exposed, sent), ...(await search(store, sent, news, print))]);
  if (!dryRun) {
    const all = [...searched, ...news.map((one) => print(one.value))].slice(-SEARCHED_MAX);
    await writeWhole(fileOf(store), `${JSON.stringify({ version: 1, ...before, searched: all, exposed })}\n`);
  }
  return exposed;
}

/** What earlier pushes found and no purge has taken away since. The history is read only where there is something. */
export async function knownExposed(store: Store): Promise<Exposed[]> {
  const { exposed } = await readKept(store);
  return exposed.length ? stillSent(exposed, await store.sent()) : [];
}

const readKept = async (store: Store) => schema.safeParse(await readJsonFile(fileOf(store))).data ?? { searched: [], exposed: [] };

/** A version goes by its number: when an earlier one is purged it becomes another commit, and holds what it held. */
function stillSent(exposed: readonly Exposed[], sent: readonly SentVersion[]): Exposed[] {
  const commits = new Map(sent.map(({ handoff, version, commit }) => [`${handoff}@${version}`, commit]));
  return exposed.flatMap((one) => {
    const commit = commits.get(`${one.handoff}@${one.version}`);
    return commit === undefined ? [] : [{ ...one, commit }];
  });
}

/** Values that were taken out of every version are exposed no more. */
export async function forgetExposed(store: Store, values: readonly string[]): Promise<void> {
  const before = await readKept(store);
  if (!before.exposed.length) return;
  const purged = new Set(values.map(fingerprints(await store.key())));
  const isPurged = (one: string): boolean => purged.has(one.slice(one.indexOf(':') + 1));
  const exposed = before.exposed.map((one) => ({ ...one, values: one.values.filter((value) => !isPurged(value)) })).filter((one) => one.values.length);
  await writeWhole(fileOf(store), `${JSON.stringify({ ...before, exposed })}\n`);
}

/** All that is known to be secret in the projects of these sessions, and what was learned from them. What is allowed is no secret. */
async function secretValues(ws: Workspace, prepared: readonly Prepared[]): Promise<KnownValue[]> {
  const values = new Map<string, KnownValue>();
  for (const root of new Set(prepared.map((p) => p.root))) {
    const { known = [], allowed } = await redactionOf(ws, root);
    for (const one of known) if (!allowed?.value(one.value, true)) values.set(one.value, one);
  }
  for (const one of prepared.flatMap((p) => p.learned)) if (!values.has(one.value)) values.set(one.value, one);
  return [...values.values()];
}

async function search(store: Store, sent: readonly SentVersion[], values: readonly KnownValue[], print: (value: string) => string): Promise<Exposed[]> {
  if (!sent.length || !values.length) return [];
  const find = valueFinder(values);
  const holding = new Map<string, KnownValue[]>();
  for await (const { id, bytes } of store.contents([...new Set(sent.flatMap((one) => one.blobs))])) {
    const found = find(bytes.toString('utf8'));
    if (found.size) holding.set(id, [...found]);
  }
  return sent.flatMap(({ handoff, version, commit, blobs }) => {
    const values = new Set(blobs.flatMap((blob) => holding.get(blob) ?? []));
    if (!values.size) return [];
    return [{ handoff, version, commit, values: [...values].map((one) => `${one.kind}:${print(one.value)}`), purge: `relay purge ${handoff}@${version}` }];
  });
}

/** One entry a version. */
function joined(all: readonly Exposed[]): Exposed[] {
  const versions = new Map<string, Exposed>();
  for (const one of all) {
    const values = [...(versions.get(one.commit)?.values ?? []), ...one.values];
    versions.set(one.commit, { ...one, values: [...new Set(values)] });
  }
  return [...versions.values()];
}
