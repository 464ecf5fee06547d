import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sample } from './samples.ts';

/** Values as people and generators make them: none tells by itself what it is. */
const SHAPES = ['{an20}', '{an32}', '{hex32}', '{low24}', 'Zq7{an9}', '{an8}-{an8}-7a', '{url43}', 'Tr0ub{low6}!{an4}', '{b6440}', '{up16}9a'];

/** So many different values that no rule would find where they stand bare. */
export const secretValues = (count: number): string[] => Array.from({ length: count }, (_, i) => sample(SHAPES[i % SHAPES.length] as string));

/** Puts values where a user has them: variables, a nested .env.local, the home's .npmrc and .netrc, a quarter each. Answers the variables. */
export function keepSecrets(values: readonly string[], home: string, project: string): Record<string, string> {
  const quarter = (n: number) => values.filter((_, i) => i % 4 === n);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode: 0o600 });
  };
  const lines = (of: string[], line: (value: string, i: number) => string): string => `${of.map(line).join('\n')}\n`;
  write(
    join(project, 'packages/api/deploy/.env.local'),
    lines(quarter(1), (value, i) => [`SERVICE_${i}_TOKEN=${value}`, `export API_KEY_${i}="${value}"`, `DB_${i}_PASSWORD='${value}' # note`][i % 3] as string),
  );
  write(
    join(home, '.npmrc'),
    lines(quarter(2), (value, i) => `//registry-${i}.acme.dev/:_authToken=${value}`),
  );
  write(
    join(home, '.netrc'),
    lines(quarter(3), (value, i) => `machine host-${i}.acme.dev\n  login ann\n  password ${value}`),
  );
  appendFileSync(join(project, '.git/info/exclude'), '.env.local\n');
  return Object.fromEntries(
    quarter(0).map(
      (value, i) =>
        [
          [`APP_${i}_SECRET`, value],
          [`CI_${i}_TOKEN`, value],
          [`LOGIN_${i}_PASSWORD`, value],
        ][i % 3] as [string, string],
    ),
  );
}
