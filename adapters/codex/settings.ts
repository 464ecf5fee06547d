import { join } from 'node:path';
import { parse } from 'smol-toml';
import { readRegularText } from '#lib/regular.ts';
import type { Where } from '#session/source.ts';
import { codexHome } from './locate.ts';

/** What of the user's config.toml matters for an import. */
export interface Settings {
  /** a session that names another provider is neither listed nor resumed */
  provider: string;
  /** false: the config.toml names none, or there is no such file */
  configured: boolean;
  window?: number;
  /** the client compacts above so many tokens */
  compactAt?: number;
}

/** The client's own default. */
const PROVIDER = 'openai';

/** Reads config.toml of the Codex home: the chosen profile's values before the top level's. A file that does not parse counts as none. */
export async function readSettings(where: Where): Promise<Settings> {
  const text = await readRegularText(join(codexHome(where), 'config.toml')).catch(() => '');
  const config = parseToml(text);
  const profiles = table(config.profiles);
  const profile = typeof config.profile === 'string' ? table(profiles[config.profile]) : {};
  const value = (key: string): unknown => profile[key] ?? config[key];
  const provider = value('model_provider');
  const window = value('model_context_window');
  const compactAt = value('model_auto_compact_token_limit');
  const configured = typeof provider === 'string' && provider !== '';
  return {
    provider: configured ? provider : PROVIDER,
    configured,
    ...(typeof window === 'number' && window > 0 ? { window } : {}),
    ...(typeof compactAt === 'number' && compactAt > 0 ? { compactAt } : {}),
  };
}

function parseToml(text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch {
    return {};
  }
}

const table = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {});

/** Default window and reserve where the client's configuration names none. */
const WINDOW = 128_000;
const RESERVE = 30_000;
/** The client compacts from 90 % of the window on: what is sent must stay below. */
const HEADROOM = 0.12;
/** The API takes 16,384 items; the client adds its context and the new question. */
const MAX_ITEMS = 16_000;
const MAX_BYTES = 30_000_000;

/** How much a session may send to the model here. */
export async function window(where: Where): Promise<{ tokens: number; reserve: number; maxItems: number; maxBytes: number }> {
  const { window: own, compactAt } = await readSettings(where);
  const tokens = Math.min(own ?? WINDOW, compactAt ?? Number.POSITIVE_INFINITY);
  const reserve = Math.ceil(Math.max(Math.min(RESERVE, tokens / 4), tokens * HEADROOM));
  return { tokens, reserve, maxItems: MAX_ITEMS, maxBytes: MAX_BYTES };
}
