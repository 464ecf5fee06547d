import { describe, expect, test } from 'vitest';
import { knownValues } from '#redact/index.ts';
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

  test('come from .env, .npmrc and .netrc files, not from templates of them', () => {
    const [a, b, c, d] = [sample('{an20}'), sample('{an12}#{an6}'), sample('{an24}'), sample('{an14}')] as const;
    const files = [
      { name: '.env.local', text: `# x\nPORT=8080\nexport API_KEY=${a} # note\nDB_PASSWORD="${b}"\n` },
      { name: '.env.example', text: `API_KEY=${sample('{an20}')}\n` },
      { name: '.npmrc', text: `//registry.x.dev/:_authToken=${c}\n` },
      { name: '.netrc', text: `machine x login ann password ${d}\n` },
    ];
    expect(values({}, files).sort()).toEqual([a, b, c, d].sort());
  });
});
