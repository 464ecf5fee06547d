import { join } from 'node:path';
import { asObject, asString, parseJson } from '#lib/json.ts';
import { readRegularText } from '#lib/regular.ts';
import type { Where } from '#session/source.ts';
import { configDir } from './native.ts';

const DEFAULT = { tokens: 200_000, reserve: 50_000 };

/** Context window in tokens. A model name that ends in `[1m]`, in the environment or in settings.json, says a million. */
export async function window(where: Where): Promise<{ tokens: number; reserve: number; maxItems: number; maxBytes: number }> {
  const text = await readRegularText(join(configDir(where), 'settings.json')).catch(() => '');
  const settings = asObject(parseJson(text));
  const model = where.env.ANTHROPIC_MODEL ?? asString(asObject(settings?.env)?.ANTHROPIC_MODEL) ?? asString(settings?.model);
  const tokens = model?.endsWith('[1m]') ? 1_000_000 : DEFAULT.tokens;
  // The API refuses request bodies over 32 MB.
  return { tokens, reserve: DEFAULT.reserve, maxItems: 100_000, maxBytes: 30_000_000 };
}
