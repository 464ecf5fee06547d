import { expect, it } from 'vitest';
import { createRedactor } from '#redact/index.ts';
import { sample } from '../support/samples.ts';

const redacted = (text: string): string => createRedactor({ key: Buffer.alloc(32, 1) }).text(text, 'main 0');
const many = (count: number, template: string): string[] => Array.from({ length: count }, () => sample(template));
/** What is left of a secret: eight characters of it in a row are too much. */
const left = (out: string, secrets: readonly string[]): string[] =>
  secrets.filter((secret) => Array.from({ length: secret.length - 7 }, (_, i) => secret.slice(i, i + 8)).some((part) => out.includes(part)));

function gone(text: string, secrets: readonly string[]): void {
  const out = redacted(text);
  expect(left(out, secrets)).toEqual([]);
  expect(redacted(out)).toBe(out);
}

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (): string[] =>
  `${base64({ alg: 'HS256', typ: 'JWT' })}.${base64({ sub: sample('{an180}'), name: sample('{an60}') })}.${sample('{url43}')}`.match(/.{1,64}/g) ?? [];

it.each([5, 65, 400])('a cell under a head with %i blanks behind its name', (blanks) => {
  const secret = sample('{an70}');
  gone(`| id | token${' '.repeat(blanks)}|\n|----|----|\n| 1 | ${secret} |\n`, [secret]);
});

it.each([
  ['CSV', (rows: string[]) => `id,user,password\n${rows.map((value, i) => `${i},u${i},${value}`).join('\n')}\n`],
  ['CSV with an odd row', (rows: string[]) => `id,user,password\n${rows.map((value, i) => (i === 7 ? '7,"a, b",x' : `${i},u${i},${value}`)).join('\n')}\n`],
  ['Markdown', (rows: string[]) => `| id | password |\n|---|---|\n${rows.map((value, i) => `| ${i} | ${value} |`).join('\n')}\n`],
  ['INSERT', (rows: string[]) => `INSERT INTO users (id, password) VALUES ${rows.map((value, i) => `(${i}, '${value}')`).join(',\n')};`],
  ['a Secret', (rows: string[]) => `kind: Secret\ndata:\n${rows.map((value, i) => `  key${i}: ${Buffer.from(value).toString('base64')}`).join('\n')}\n`],
])('a table of a thousand rows: %s', (form, table) => {
  const rows = many(1000, '{an7}9{an8}');
  const secrets = form === 'a Secret' ? rows.map((value) => Buffer.from(value).toString('base64')) : rows.filter((_, i) => i !== 7);
  gone(table(rows), secrets);
});

it('a head within a table', () => {
  const [one, two] = many(2, '{an7}9{an8}') as [string, string];
  gone(`see the token,below\nuser,password\nann,${one}\nbob,${two}\n`, [one, two]);
});

it('literals in many parts', () => {
  const parts = many(7, '{an60}');
  gone(`token = ${parts.map((part) => `"${part}"`).join(' + ')}`, parts);
});

it.each([
  ['AIza', ['{url16}', '{url19}'], 'password is required'],
  ['SG.', ['{url22}.{url14}', '{url29}'], 'x'],
  ['xoxb-', ['{dig11}-{dig11}-{an7}', '{an17}'], 'password is required'],
])('two literals of a %s token, with nothing before them', (mark, templates, after) => {
  const parts = templates.map((one) => sample(one));
  gone(`x = "${mark}${parts[0]}" + "${parts[1]}"\n${after}`, parts);
});

it('two literals before the name', () => {
  const parts = [sample('{an24}7'), sample('{an18}')];
  gone(`use "${parts[0]}" + "${parts[1]}" as the password`, parts);
});

it.each([
  ['numbers', (lines: string[]) => lines.map((line, i) => `  ${i + 1}\t${line}`)],
  ['quotes', (lines: string[]) => lines.map((line) => `> ${line}`)],
  ['a file', (lines: string[]) => lines.map((line, i) => `src/a.ts:${i + 1}:${line}`)],
])('a token that was wrapped, behind %s', (_name, dressed) => {
  const key = many(2, '{an48}');
  gone(dressed([`api_key = "${key[0]}`, `${key[1]}"`, 'foo()']).join('\n'), key);
  const parts = jwt();
  gone(dressed(parts).join('\n'), parts.slice(1, -1));
});

it.each([
  ['in brackets', (value: string) => `api_key = (\n    "${value}"\n)`],
  ['behind the sign', (value: string) => `const apiKey =\n    "${value}";`],
  ['behind a colon', (value: string) => `  password:\n    '${value}',`],
])('a value on the next line, %s', (_name, written) => {
  const secret = sample('{an31}7');
  gone(written(secret), [secret]);
});

it('what a placeholder brings near', () => {
  const value = Buffer.from(sample('{an24}')).toString('base64');
  const note = `${base64({ alg: 'HS256' })}.${base64({ sub: sample('{an1500}') })}.${sample('{url43}')}`;
  const filler = 'some words of a text\n'.repeat(400);
  gone(`kind: Secret\nmetadata:\n  note: ${note}\n# ${'words '.repeat(80)}\ndata:\n  foo: ${value}\n${filler}`, [value]);
});

it('words that only look like prose', () => expect(redacted('The token is zxcvbaromedula.')).not.toContain('zxcvbaromedula'));
