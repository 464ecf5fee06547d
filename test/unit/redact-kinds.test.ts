import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { kindName } from '#redact/index.ts';
import { rules } from '#redact/rules/index.ts';
import { namedKinds } from '#redact/shapes/kinds.ts';
import { GATES } from '#redact/shapes/secretlint.ts';

/** Kinds that the code itself gives, beside those of the rules. */
const folder = fileURLToPath(new URL('../../redact', import.meta.url));
const code = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !file.startsWith('rules'))
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('\n');
const written = [...code.matchAll(/kind: ('[^']+')|\badd\(([^,()]*),/g)].flatMap((match) => (match[1] ?? match[2] ?? '').match(/(?<=')[a-z0-9]+(?=')/g) ?? []);
const kinds = [...new Set([...rules.map((rule) => rule.kind), ...GATES.map((gate) => gate.kind), ...written])].sort();

it('looks at all kinds', () => {
  expect(kinds.length).toBeGreaterThan(60);
  expect(kinds).toEqual(expect.arrayContaining(['gh', 'pw', 'known', 'ck', 'b64', 'text', 'error', 'pem']));
});
it.each(kinds)('%s has words', (kind) => expect(kindName(kind)).not.toBe(kind));
it('no words are left over', () => expect([...namedKinds].sort()).toEqual(kinds));
it.each([
  ['gh', 'GitHub token'],
  ['pem', 'private key'],
  ['of-a-newer-relay', 'of-a-newer-relay'],
  ['constructor', 'constructor'],
])('%s is %s', (kind, words) => expect(kindName(kind)).toBe(words));
