import { join } from 'node:path';
import { asObject, asString, isObject, type Json, type JsonObject, parseJson } from '#lib/json.ts';
import { linesBack } from '#lib/lines-back.ts';
import { readRegularText } from '#lib/regular.ts';
import type { SessionSource, Where } from '#session/source.ts';
import type { ContextUse } from '../adapter.ts';
import { configDir, SYNTHETIC } from './native.ts';

/** An answer further from the end than this is not looked for: a line holds an image of some megabytes at most. */
const MOST = 64 * 1024 * 1024;
const TELLING = /"usage"|"compact_boundary"/;

/**
 * What the client's own `/context` counts: the tokens that went into the last main answer, not what came out of it. After a compaction, until
 * the next answer, what the client itself counted then.
 */
export async function contextUse(where: Where, { path }: Pick<SessionSource, 'path'>): Promise<ContextUse | undefined> {
  let compacted: number | undefined;
  for await (const line of linesBack(path, MOST)) {
    const text = line.toString('utf8');
    const value = TELLING.test(text) ? parseJson(text) : undefined;
    if (!isObject(value) || value.isSidechain === true) continue;
    if (value.type === 'system' && value.subtype === 'compact_boundary' && compacted === undefined) {
      compacted = count(asObject(value.compactMetadata)?.postTokens);
      // Versions before 2.1.200 do not say; what was used before tells nothing any more.
      if (compacted === 0) return undefined;
    }
    const model = value.type === 'assistant' ? modelOf(value) : undefined;
    const tokens = model === undefined ? 0 : usedFor(value);
    if (model !== undefined && tokens > 0) return { tokens: compacted ?? tokens, window: await windowOf(where, model) };
  }
  return undefined;
}

/** The model that was asked for, since only its name there says `[1m]`; undefined for what the client made up itself. */
function modelOf(entry: JsonObject): string | undefined {
  const model = asString(asObject(entry.message)?.model);
  return model === SYNTHETIC ? undefined : (asString(entry.requestedModel) ?? model ?? '');
}

function usedFor(entry: JsonObject): number {
  const usage = asObject(asObject(entry.message)?.usage);
  return count(usage?.input_tokens) + count(usage?.cache_read_input_tokens) + count(usage?.cache_creation_input_tokens);
}

const count = (value: Json | undefined): number => (typeof value === 'number' && value > 0 ? value : 0);

const MILLION = 1_000_000;
const SMALL = 200_000;
/** Models with the small window; whatever the client (2.1.332) does not know has the large one. */
const SMALL_MODELS = /claude-(?:3-|(?:opus|sonnet|haiku)-4-5|(?:opus|sonnet)-4-6|sonnet-4-\d{8})/;

/** The window that the client reckons with, in tokens. Two of its variables make it smaller; they stand in the environment or in its settings. */
async function windowOf(where: Where, model: string): Promise<number> {
  const variable = await variables(where);
  const small = !model.endsWith('[1m]') && SMALL_MODELS.test(model);
  const window = small || isOn(variable('CLAUDE_CODE_DISABLE_1M_CONTEXT')) ? SMALL : MILLION;
  const asked = Number(variable('CLAUDE_CODE_AUTO_COMPACT_WINDOW'));
  return asked > 0 ? Math.min(window, asked) : window;
}

async function variables(where: Where): Promise<(name: string) => string | undefined> {
  const settings = asObject(parseJson(await readRegularText(join(configDir(where), 'settings.json')).catch(() => '')));
  return (name) => where.env[name] ?? asString(asObject(settings?.env)?.[name]);
}

const isOn = (value: string | undefined): boolean => ['1', 'true', 'yes', 'on'].includes(value?.toLowerCase() ?? '');
