import { asObject, type Json, parseJson } from '#lib/json.ts';
import { linesBack } from '#lib/lines-back.ts';
import type { SessionSource, Where } from '#session/source.ts';
import type { ContextUse } from '../adapter.ts';

/** A count further from the end than this is not looked for. */
const MOST = 64 * 1024 * 1024;

/**
 * What the client's own `/status` counts: all tokens of the last request, of the window that is named with them, which is 95 % of the model's. In a
 * rewound or forked thread that has no answer of its own yet, the count of the file that it goes on from, as far as that belongs to it.
 */
export async function contextUse(where: Where, { path, streams }: Pick<SessionSource, 'path' | 'streams'>): Promise<ContextUse | undefined> {
  const files = [{ path, end: undefined }, ...streams.filter(({ name }) => name.startsWith('base/'))];
  for (const file of files) {
    const counted = await lastCount(file.path, file.end);
    if (counted) return { tokens: counted.tokens, window: counted.window ?? (await configuredWindow(where)) };
  }
  return undefined;
}

/** Loaded only where it is needed, since it reads TOML. */
async function configuredWindow(where: Where): Promise<number> {
  const { window } = await import('./settings.ts');
  return (await window(where)).tokens;
}

async function lastCount(path: string, end: number | undefined): Promise<{ tokens: number; window: number | undefined } | undefined> {
  for await (const line of linesBack(path, MOST, end)) {
    const text = line.toString('utf8');
    const payload = text.includes('"token_count"') ? asObject(asObject(parseJson(text))?.payload) : undefined;
    const info = payload?.type === 'token_count' ? asObject(payload.info) : undefined;
    const tokens = count(asObject(info?.last_token_usage)?.total_tokens);
    if (tokens !== undefined) return { tokens, window: count(info?.model_context_window) };
  }
  return undefined;
}

const count = (value: Json | undefined): number | undefined => (typeof value === 'number' && value > 0 ? value : undefined);
