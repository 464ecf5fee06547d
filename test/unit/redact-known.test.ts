import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { knownValues, secretFiles } from '#redact/index.ts';
import { sample } from '../support/samples.ts';

const values = (env: Record<string, string>, files: { name: string; text: string }[] = []) => knownValues(env, files).map((one) => one.value);

describe('known values', () => {
  test('come from variables with telling names and from passwords in URLs', () => {
    const [a, b, c] = [sample('{an20}'), sample('Tiger{an6}'), sample('{an16}')];
    expect(values({ DEPLOY_TOKEN: a, DB_PASSWORD: b, DATABASE_URL: `postgres://app:${c}@db/x`, EDITOR: sample('{an20}') }).sort()).toEqual([a, b, c].sort());
  });

  test('are no paths, words, numbers, references or short values', () => {
    expect(
      values({
        SSH_KEY: '/home/ann/.ssh/id',
        API_TOKEN: 'production',
        MY_SECRET: '12345678',
        A_TOKEN: 'ab12',
        B_TOKEN: '${OTHER}',
        C_SECRET: 'true',
        D_TOKEN: 'https://x.dev/token',
        E_KEY: 'your-api-key-here',
      }),
    ).toEqual([]);
  });

  test('come from .env, .npmrc and .netrc files', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'relay-known-'));
    const [a, b, c, d] = [sample('{an20}'), sample('{an12}#{an6}'), sample('{an24}'), sample('{an14}')];
    await writeFile(join(folder, '.env.local'), `# x\nPORT=8080\nexport API_KEY=${a} # note\nDB_PASSWORD="${b}"\n`);
    await writeFile(join(folder, '.env.example'), `API_KEY=${sample('{an20}')}\n`);
    await writeFile(join(folder, '.npmrc'), `//registry.x.dev/:_authToken=${c}\n`);
    await writeFile(join(folder, '.netrc'), `machine x login ann password ${d}\n`);
    expect(values({}, await secretFiles([folder, folder, join(folder, 'none')])).sort()).toEqual([a, b, c, d].sort());
    await rm(folder, { recursive: true });
  });
});
