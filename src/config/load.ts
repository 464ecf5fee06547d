import { isAbsolute, join, resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { RelayError } from '#lib/errors.ts';
import { atPointer, isObject, type Json, type JsonObject } from '#lib/json.ts';
import { acceptedOnly, type Unaccepted } from './accept.ts';
import { checkLayer, type LayerChecks, readSettingsFile } from './file.ts';
import { type SettingsPlace, settingsFiles } from './places.ts';
import { joined, lasting, type Settings, type SettingsLayer, schemaAt, settingPaths, settingsSchema, unwrap } from './schema.ts';

export interface LoadInput extends SettingsPlace {
  /** relay's folder in the user's state */
  state: string;
  /** settings given on the command line, as a layer of its own */
  flags?: SettingsLayer;
  /** what else is checked in each file */
  checks?: Omit<LayerChecks, 'file'>;
}

export interface Loaded {
  settings: Settings;
  /** Values of the repository's .relayrc and of the clone's own settings that do not count yet: see `guard`. */
  unaccepted: Unaccepted[];
}

/**
 * All settings: defaults < user < repository (what this clone accepted of it) < clone < environment (RELAY_STORE_REMOTE …) < flags.
 * Lists about redaction and sharing are joined instead, and what makes redaction stricter stays on, so that the strictest wins. Paths come out absolute.
 * Throws RelayError `config` naming file, line and column.
 */
export async function loadSettings(input: LoadInput): Promise<Loaded> {
  const files = settingsFiles(input);
  const read = async (file: 'user' | 'repository' | 'clone'): Promise<SettingsLayer> => {
    const path = files[file];
    return path === undefined ? {} : readSettingsFile(path, { ...input.checks, file });
  };
  const [user, repository, clone] = await Promise.all([read('user'), read('repository'), read('clone')]);
  const place = input.repository && { commonDir: input.repository.commonDir, state: input.state };
  const [{ layer, unaccepted }, own] = await Promise.all([acceptedOnly(repository, 'repository', place), acceptedOnly(clone, 'clone', place)]);
  const mine = [clone, environment(input.env), input.flags ?? {}] as JsonObject[];
  const root = input.repository?.root;
  const layers = [
    absolute(user, input.home, input.home),
    ...(await strictest(input, repository)),
    absolute(layer, input.home, root ?? input.home),
    absolute(own.layer, input.home, root ?? input.home),
    environment(input.env),
    absolute(
      checkLayer(input.flags ?? {}, () => 'the command line'),
      input.home,
      root ?? input.home,
    ),
  ];
  const merged = layers.reduce<JsonObject>((all, one) => merge(all, one as JsonObject, ''), {});
  const { $schema: _, ...settings } = settingsSchema.parse(merged);
  // What this clone sets itself is decided, and what the user has set just so needs no asking: the repository's wish does not matter there, unless both would be joined.
  const open = unaccepted.filter(({ key, value }) => {
    const at = (one: Json): Json | undefined => atPointer(one, `/${key.replaceAll('.', '/')}`);
    return joined.includes(key) || (mine.every((one) => at(one) === undefined) && JSON.stringify(at(settings as Json)) !== JSON.stringify(value));
  });
  return { settings, unaccepted: [...open, ...own.unaccepted] };
}

/**
 * What the work trees' .relayrc ask for that makes less leave, one layer for each work tree that a path of theirs can mean: sessions of all of them leave from any,
 * and one that has an older branch checked out has fewer rules.
 */
async function strictest({ repository, home, checks }: LoadInput, own: SettingsLayer): Promise<SettingsLayer[]> {
  const others = (repository?.workTrees ?? []).filter((top) => top !== repository?.root);
  if (!others.length) return [];
  const layers = await Promise.all(others.map((top) => readSettingsFile(join(top, '.relayrc'), { ...checks, file: 'repository' })));
  const roots = [...others, ...(repository?.root === undefined ? [] : [repository.root])];
  return [own, ...layers].flatMap((layer) => roots.map((top) => absolute(strictOf(layer), home, top)));
}

function strictOf({ share, redact }: SettingsLayer): SettingsLayer {
  const { allow: _, ...rest } = redact ?? {};
  return { ...(share ? { share } : {}), redact: rest };
}

function merge(below: JsonObject, above: JsonObject, at: string): JsonObject {
  const out: JsonObject = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const path = at ? `${at}.${key}` : key;
    const old = out[key];
    if (value === undefined) continue;
    if (isObject(value)) out[key] = merge(isObject(old) ? old : {}, value, path);
    else if (Array.isArray(value) && Array.isArray(old) && joined.includes(path))
      out[key] = [...old, ...value.filter((item) => !old.some((one) => isDeepStrictEqual(one, item)))];
    else if (lasting.includes(path)) out[key] = old === true || value;
    else out[key] = value;
  }
  return out;
}

/** RELAY_ and the setting's path in capitals, dots as underscores: RELAY_PULL_DAYS=7. Lists and single agents have no variable. */
function environment(env: LoadInput['env']): SettingsLayer {
  const layer: JsonObject = {};
  for (const path of settingPaths().filter((p) => !p.includes('*'))) {
    const name = `RELAY_${path.toUpperCase().replaceAll('.', '_')}`;
    const text = env[name];
    const schema = schemaAt(path.split('.'));
    if (!text || !schema || unwrap(schema) instanceof z.ZodArray) continue;
    const value = fromText(text, unwrap(schema));
    const check = schema.safeParse(value);
    if (!check.success) throw new RelayError('config', `${name}: ${check.error.issues[0]?.message.replace(/^Invalid input: /, '')}.`, schema.description);
    const nested = path.split('.').reduceRight<Json>((inner, key) => ({ [key]: inner }), value);
    Object.assign(layer, merge(layer, nested as JsonObject, ''));
  }
  return layer as SettingsLayer;
}

function fromText(text: string, schema: z.ZodType): Json {
  if (schema instanceof z.ZodNumber) return text.trim() === '' ? text : Number(text);
  if (schema instanceof z.ZodBoolean) return ({ 1: true, true: true, 0: false, false: false } as Record<string, boolean>)[text.toLowerCase()] ?? text;
  return text;
}

/** `~/…` and relative paths made absolute: those of a user's file from home, others from the work tree. */
function absolute(layer: SettingsLayer, home: string, base: string): SettingsLayer {
  const path = (given: string) => (given === '~' || given.startsWith('~/') ? join(home, given.slice(1)) : isAbsolute(given) ? given : resolve(base, given));
  const out = structuredClone(layer);
  for (const rule of out.share?.exclude ?? []) if (rule.path !== undefined) rule.path = path(rule.path);
  for (const agent of Object.values(out.agents ?? {})) if (agent.roots) agent.roots = agent.roots.map(path);
  if (out.redact?.known?.files) out.redact.known.files = out.redact.known.files.map(path);
  return out;
}
