import { expect, test } from 'vitest';
import { createRedactor } from '#redact/index.ts';
import { sample } from '../support/samples.ts';

const key = Buffer.alloc(32, 3);
const never = () => undefined;
const long = 'a line of output that says little\n'.repeat(20);

test('a text that stands in a record twice is taken out of both, and counted twice', () => {
  const token = sample('ghp_{an36}');
  const text = `${long}${token}\n`;
  const redactor = createRedactor({ key });
  const made = redactor.record({ content: text, toolUseResult: { stdout: text } }, 'main 0', never) as { content: string; toolUseResult: { stdout: string } };
  expect(made.content).not.toContain(token);
  expect(made.toolUseResult.stdout).toBe(made.content);
  expect(redactor.report().total).toBe(2);
});

test('what was learned in between is taken out of a text that was clean, or treated, before', () => {
  const [value, token] = [sample('Q7{an18}x9'), sample('ghp_{an36}')];
  const [clean, treated] = [`${long}${value}\n`, `${long}${token} ${value}\n`];
  const redactor = createRedactor({ key });
  redactor.record({ clean, treated }, 'main 0', never);
  redactor.record({ password: value }, 'main 1', never);
  const again = JSON.stringify(redactor.record({ clean, treated }, 'main 2', never));
  expect(again).not.toContain(value);
  expect(again).not.toContain(token);
});

test('a text that is clean by itself is judged under the name of a password', () => {
  const value = sample('Q7{an80}x9');
  const redactor = createRedactor({ key });
  expect(JSON.stringify(redactor.record({ note: value }, 'main 0', never))).toContain(value);
  expect(JSON.stringify(redactor.record({ password: value }, 'main 1', never))).not.toContain(value);
});

test('a key that is redacted late tells nothing of what stands under it', () => {
  // The hex of a placeholder ends like the name of a password only where it has few letters, so many are tried.
  for (let i = 0; i < 400; i++) {
    const value = sample('Q7{an18}x9');
    const once = createRedactor({ key }).record({ [`k ${value}`]: 48291734, password: value }, 'main 0', never);
    expect(Object.entries(once)[0]).toEqual([expect.stringMatching(/^k \[REDACTED:pw:/), 48291734]);
    expect(createRedactor({ key }).record(once, 'main 0', never)).toBe(once);
  }
});
