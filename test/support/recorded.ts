import { readFileSync } from 'node:fs';
import type { Json } from '#lib/json.ts';
import { fixtures } from './fixtures.ts';
import { seeded } from './generate.ts';
import { secretPool } from './transcript.ts';

/** Shorter strings are ids, names and paths; longer ones are what people, models and tools said. */
const SAID = 40;
/** A secret is put into what is at least as long. */
const LONG = 200;

/**
 * Lines of the recorded sessions of both agents, over and over, until they are about so many bytes. No two long texts are the same, so that
 * nothing is gained by remembering one. A secret is put into one of them now and then. The same for the same seed.
 */
export function* recorded({ seed, bytes, secretEvery }: { seed: string; bytes: number; secretEvery: number }): Generator<string> {
  const lines = [...fixtures('claude-code'), ...fixtures('codex')].flatMap(({ path }) => readFileSync(path, 'utf8').split('\n').filter(Boolean));
  const records = lines.map((line) => JSON.parse(line) as Json);
  const random = seeded(seed);
  const pool = secretPool(random);
  let size = 0;
  let secrets = 0;
  let round = 0;
  const varied = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(varied);
    if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, varied(item)]));
    return typeof value === 'string' && value.length > SAID && /\s/.test(value) ? variedText(value) : value;
  };
  const variedText = (text: string): string => {
    const made = text.replace(/\s/, (blank) => `${blank}${round}${blank}`);
    if (text.length < LONG || /^[{[]/.test(text) || size < secrets * secretEvery) return made;
    secrets++;
    return `${made}\n${pool[Math.floor(random() * pool.length)]}\n`;
  };
  for (; ; round++)
    for (const record of records) {
      const line = JSON.stringify(varied(record));
      yield line;
      size += line.length + 1;
      if (size >= bytes) return;
    }
}
