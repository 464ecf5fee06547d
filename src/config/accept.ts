import { createHash } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import { asString, isObject, type Json, type JsonObject, parseJson } from '#lib/json.ts';
import { readRegularText } from '#lib/regular.ts';
import { decliningSettings, defaultOf, guarded, type Stopped, stoppedBy } from './guarded.ts';
import type { SettingsLayer } from './schema.ts';

/** A value of the repository's .relayrc that this clone has not accepted. */
export interface Unaccepted {
  /** dotted path, e.g. store.remote */
  key: string;
  value: Json;
}

/**
 * A repository can ask for much, but whoever clones it decides: values of .relayrc that say where sessions go, when they go
 * by themselves, what is started, or what is no secret, count only after this clone accepted exactly that value. Another value has to be accepted anew.
 * @param commonDir the git common dir, where the accepted values are remembered (as hashes, since a URL can hold a password)
 */
export async function acceptedOnly(repository: SettingsLayer, commonDir: string | undefined): Promise<{ layer: SettingsLayer; unaccepted: Unaccepted[] }> {
  const accepted = commonDir ? await readAccepted(commonDir) : {};
  const layer = structuredClone(repository) as JsonObject;
  const unaccepted: Unaccepted[] = [];
  for (const { key, parent, name, value } of guardedValues(layer)) {
    if (accepted[key] === digest(value) || isDefault(key, value)) continue;
    delete parent[name];
    unaccepted.push({ key, value });
  }
  return { layer: layer as SettingsLayer, unaccepted };
}

/** Those of the unaccepted values that would count for one of these. */
export const countingFor = (all: readonly Unaccepted[], what: readonly Stopped[]): Unaccepted[] =>
  all.filter(({ key }) => stoppedBy(key).some((one) => what.includes(one)));

/**
 * Stops what would use settings of the repository that this clone has not accepted: RelayError `unaccepted` naming key, value, and how to say yes or no.
 * @param what is about to be done
 * @param own the clone's own settings file
 */
export function guard(all: readonly Unaccepted[], what: readonly Stopped[], own: string): void {
  const unaccepted = countingFor(all, what);
  const [first] = unaccepted;
  if (!first) return;
  const more =
    unaccepted.length > 1
      ? ` (and ${unaccepted
          .slice(1)
          .map((u) => u.key)
          .join(', ')})`
      : '';
  throw new RelayError(
    'unaccepted',
    `The repository's .relayrc sets ${first.key} to ${showValue(first.value)}${more}, which this clone has not accepted.`,
    `${decliningWords(unaccepted, own)} If it is what you want: ${unaccepted.map((u) => `relay init --accept ${u.key}`).join(' && ')}`,
  );
}

/** How this clone says no to some of them. */
export const decliningWords = (some: readonly Unaccepted[], own: string): string =>
  `To go on without, put ${some.map(({ key }) => decliningSettings(key)).join(' and ')} into ${own}.`;

/** Remembers that this clone accepts the value that .relayrc now has for `key`. Any other value of it has to be accepted anew. */
export async function accept(commonDir: string, { key, value }: Unaccepted): Promise<void> {
  const folder = join(commonDir, 'relay');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const all = { ...(await readAccepted(commonDir)), [key]: digest(value) };
  const temporary = join(folder, `accepted.${process.pid}.tmp`);
  await writeFile(temporary, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, join(folder, 'accepted.json'));
}

/** A value for people: JSON, without the user name and password of URLs and without control characters. */
export function showValue(value: Json): string {
  return JSON.stringify(value)
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^/@\s"]*@/gi, '$1')
    .replace(/[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

async function readAccepted(commonDir: string): Promise<Record<string, string>> {
  const value = parseJson(await readRegularText(join(commonDir, 'relay', 'accepted.json')).catch(() => '{}'));
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => asString(entry[1]) !== undefined));
}

/** A default asks for nothing that would not happen anyway. */
const isDefault = (key: string, value: Json): boolean => JSON.stringify(defaultOf(key)) === JSON.stringify(value);

const digest = (value: Json): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Every value of a layer that stands under a guarded path. */
function guardedValues(layer: JsonObject): { key: string; parent: JsonObject; name: string; value: Json }[] {
  return guarded.flatMap((pattern) => {
    const steps = pattern.split('.');
    const name = steps.pop() as string;
    let parents: [string, JsonObject][] = [['', layer]];
    for (const step of steps)
      parents = parents.flatMap(([at, value]) =>
        (step === '*' ? Object.keys(value) : [step]).flatMap((key) => {
          const next = Object.hasOwn(value, key) ? value[key] : undefined;
          return isObject(next) ? [[`${at}${key}.`, next] as [string, JsonObject]] : [];
        }),
      );
    return parents.flatMap(([at, parent]) => (Object.hasOwn(parent, name) ? [{ key: at + name, parent, name, value: parent[name] as Json }] : []));
  });
}
