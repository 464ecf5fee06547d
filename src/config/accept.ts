import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import { asString, isObject, type Json, type JsonObject, parseJson } from '#lib/json.ts';
import { readSealed, type SealedFile, writeSealed } from '#lib/sealed.ts';
import { decliningSettings, defaultOf, guarded, guardedInClone, type Stopped, stoppedBy } from './guarded.ts';
import type { SettingsLayer } from './schema.ts';

/** Whose wish a value is: that of the repository's .relayrc, or of this clone's own settings, which an agent can write to from its sandbox. */
type Asking = 'repository' | 'clone';

/** A value that this clone has not accepted. */
export interface Unaccepted {
  file: Asking;
  /** dotted path, e.g. store.remote */
  key: string;
  value: Json;
}

/**
 * A repository can ask for much, but whoever clones it decides: values of .relayrc that say where sessions go, when they go
 * by themselves, what is started, or what is no secret, count only after this clone accepted exactly that value. Another value has to be accepted anew. So it is
 * with the clone's own settings: they lie where an agent may write.
 */
export async function acceptedOnly(
  asked: SettingsLayer,
  file: Asking,
  place: AcceptedPlace | undefined,
): Promise<{ layer: SettingsLayer; unaccepted: Unaccepted[] }> {
  const layer = structuredClone(asked) as JsonObject;
  const wanted = guardedValues(layer, file === 'clone' ? guardedInClone : guarded).filter(({ key, value }) => !isDefault(key, value));
  const accepted = place && wanted.length ? await readAccepted(place) : {};
  const unaccepted: Unaccepted[] = [];
  for (const { key, parent, name, value } of wanted) {
    if (accepted[nameOf(file, key)] === digest(value)) continue;
    delete parent[name];
    unaccepted.push({ file, key, value });
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
    `${first.file === 'clone' ? own : "The repository's .relayrc"} sets ${first.key} to ${showValue(first.value)}${more}, which this clone has not accepted.`,
    `${decliningWords(unaccepted, own)} If it is what you want: ${unaccepted.map((u) => `relay init --accept ${u.key}`).join(' && ')}`,
  );
}

/** How this clone says no to some of them. */
export function decliningWords(some: readonly Unaccepted[], own: string): string {
  const [put, out] = (['repository', 'clone'] as const).map((file) => some.filter((one) => one.file === file).map(({ key }) => key));
  const steps = [
    ...(put?.length ? [`put ${put.map(decliningSettings).join(' and ')} into ${own}`] : []),
    ...(out?.length ? [`take ${out.join(' and ')} out of ${own}`] : []),
  ];
  return `To go on without, ${steps.join(' and ')}.`;
}

/** Where it is remembered what a clone accepted: the git common dir, and relay's folder in the user's state. */
export interface AcceptedPlace {
  commonDir: string;
  state: string;
}

/** Values as hashes, since a URL can hold a password. */
export const acceptedFile = ({ commonDir, state }: AcceptedPlace): SealedFile => ({ path: join(commonDir, 'relay', 'accepted.json'), state });

/** Remembers that this clone accepts the value that a file now has for `key`. Any other value of it has to be accepted anew. */
export async function accept(place: AcceptedPlace, { file, key, value }: Unaccepted): Promise<void> {
  const all = { ...(await readAccepted(place)), [nameOf(file, key)]: digest(value) };
  await writeSealed(acceptedFile(place), `${JSON.stringify(all, null, 2)}\n`);
}

const nameOf = (file: Asking, key: string): string => (file === 'clone' ? `config.jsonc ${key}` : key);

/** A value for people: JSON, without the user name and password of URLs and without control characters. */
export function showValue(value: Json): string {
  return JSON.stringify(value)
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^/@\s"]*@/gi, '$1')
    .replace(/[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

async function readAccepted(place: AcceptedPlace): Promise<Record<string, string>> {
  const value = parseJson((await readSealed(acceptedFile(place))) ?? '{}');
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => asString(entry[1]) !== undefined));
}

/** A default asks for nothing that would not happen anyway. */
const isDefault = (key: string, value: Json): boolean => JSON.stringify(defaultOf(key)) === JSON.stringify(value);

const digest = (value: Json): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Every value of a layer that stands under one of some paths. */
function guardedValues(layer: JsonObject, paths: readonly string[]): { key: string; parent: JsonObject; name: string; value: Json }[] {
  return paths.flatMap((pattern) => {
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
