import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../redact/engine/engine.ts';
import { sample, survives } from '../support/samples.ts';
import { redactedBy, timesOf } from '../support/scanning.ts';

const engine = createEngine();
const key = randomBytes(32);
const cleared = (text: string): string => redactedBy(key, text);
const ESC = '\u001b';
const token = () => sample('ghp_{an36}');
const password = () => sample('Q7{an18}x9');
const long = () => sample('sk-ant-api03-{url93}AA');
const lines = (text: string, dress: (line: string, index: number) => string) => text.split('\n').map(dress).join('\n');
const split = (value: string, by: string) => value.slice(0, 9) + by + value.slice(9);

const DRESSES: readonly (readonly [string, () => string, (value: string) => string])[] = [
  ['colours around name and value', password, (v) => `${ESC}[36mDB_PASSWORD${ESC}[39m=${ESC}[32m${v}${ESC}[39m`],
  ['colours of 256', password, (v) => `${ESC}[38;5;12mpassword${ESC}[0m: ${ESC}[1;33m"${v}"${ESC}[0m`],
  ['a colour within', token, (v) => `x ${split(v, `${ESC}[0m${ESC}[31m`)} y`],
  ['colours written out', password, (v) => `\\u001b[36mDB_PASSWORD\\u001b[39m=\\u001b[32m${v}\\u001b[39m`],
  ['a space of no width', token, (v) => `x ${split(v, '\u200b')} y`],
  ['a soft hyphen', token, (v) => `x ${split(v, '\u00ad')} y`],
  ['byte order marks', token, (v) => `\ufeff${split(v, '\ufeff')}`],
  ['a space of no width in the name', password, (v) => `pass\u200bword=${v}`],
  ['UTF-16 read as bytes', token, (v) => Buffer.from(`the token: ${v}\r\n`, 'utf16le').toString('latin1')],
  ['UTF-16 of the other order', password, (v) => `\ufffd\ufffd\0${[...`DB_PASSWORD=${v}`].join('\0')}`],
  ['UTF-32', token, (v) => [...v].join('\0\0\0')],
  ['a continued line', token, (v) => `export T=${split(v, '\\\n')}`],
  ['an option on a line of its own', password, (v) => `mysql -u root \\\n  --password \\\n  ${v} \\\n  db`],
  ['a command of several lines', password, (v) => `mysql \\\n  -u root \\\n  -p${v} \\\n  db`],
  ['numbers of cat', password, (v) => lines(`db:\n  password: >-\n    ${v}\n  port: 1`, (line, i) => `     ${i + 1}\t${line}`)],
  ['numbers with arrows', password, (v) => lines(`- name: DB_PASSWORD\n  value: ${v}\n`, (line, i) => `${i + 1}→${line}`)],
  ['numbers with bars', password, (v) => lines(`password:\n  ${v}\n`, (line, i) => `  ${i + 1} │ ${line}`)],
  ['numbers in colours', password, (v) => lines(`password:\n  ${v}\n`, (line, i) => `${ESC}[38;5;238m   ${i + 1}${ESC}[0m ${ESC}[38;5;238m│${ESC}[0m ${line}`)],
  ['numbers of grep', password, (v) => lines(`password:\n  ${v}\n`, (line, i) => `${i + 1}:${line}`)],
  ['places of ripgrep', password, (v) => lines(`password: |\n  ${v}\n`, (line, i) => `a/b.yaml:${i + 1}:${line}`)],
  ['a diff', password, (v) => lines(`password: |\n  ${v}\nx`, (line) => `+${line}`)],
  ['a quote', password, (v) => lines(`the password is\n${v}\nok`, (line) => `> ${line}`)],
  ['a table in a diff', password, (v) => lines(`user,password\nann,${v}\n`, (line) => `+${line}`)],
  ['the log of a job', password, (v) => lines(`password: |\n  ${v}\nx`, (line) => `build\tRun x\t2026-03-04T10:11:12.1234567Z ${line}`)],
  ['the log of services', password, (v) => lines(`password:\n  ${v}\nx`, (line) => `web-1  | ${line}`)],
  [
    'numbers of a manifest',
    password,
    (v) => lines(`apiVersion: v1\ndata:\n  x.json: ${Buffer.from(v).toString('base64')}\nkind: Secret`, (line, i) => `     ${i + 1}\t${line}`),
  ],
  ['a page of 76 columns', long, (v) => v.replace(/(.{76})/g, '$1\n')],
  ['a page of 80 columns', long, (v) => `${`TOKEN=${v}`.replace(/^(.{80})/, '$1\n')} end`],
  ['a numbered page', long, (v) => lines(v.replace(/(.{76})/g, '$1\n'), (line, i) => `  ${i + 1}\t${line}`)],
  ['a sum of two literals', token, (v) => `const t = "${v.slice(0, 12)}" + "${v.slice(12)}";`],
  ['a sum over two lines', token, (v) => `t = '${v.slice(0, 12)}' +\n     '${v.slice(12)}'`],
  ['literals side by side', token, (v) => `t = ("${v.slice(0, 12)}"\n     "${v.slice(12)}")`],
  ['literals joined by a dot', token, (v) => `$t = '${v.slice(0, 12)}' . '${v.slice(12)}';`],
  ['a sum under a name', password, (v) => `password = "${v.slice(0, 9)}" + "${v.slice(9)}"`],
];

describe('dressed texts', () => {
  test.each(DRESSES)('%s', (_dress, make, write) => {
    for (let i = 0; i < 5; i++) {
      const value = make();
      const out = cleared(write(value)).replaceAll('\0', '');
      expect(survives(value, out)).toBe(false);
      for (const part of [value.slice(0, 9), value.slice(-8), Buffer.from(value).toString('base64').slice(0, 16)]) expect(out).not.toContain(part);
    }
  });

  test('what stands around a secret stays as it is', () => {
    const text = `     1\tdb:\n     2\t  password: >-\n     3\t    ${password()}\n     4\t  port: 1`;
    expect(cleared(text)).toBe('     1\tdb:\n     2\t  password: >-\n     3\t    #\n     4\t  port: 1');
  });

  test('a NUL between values keeps them apart', () => {
    expect(cleared(`HOME=/root\0A=${token()}\0PAGER=less\0`)).toBe('HOME=/root\0A=#\0PAGER=less\0');
  });

  test.each([
    ['lines of a checksum file', () => sample('{hex64}  a.tar.gz\n{hex64}  b.tar.gz')],
    ['base64 of a picture, wrapped', () => sample('iVBORw0KGgo{b6465}\n{b6476}\n{b6476}\n{b6430}')],
    ['a comparison of two literals', () => 'if (a === "token" + "s") return;'],
    ['a listing in colours', () => `${ESC}[34msrc${ESC}[0m ${ESC}[32mtoken.ts${ESC}[0m ${ESC}[31mpassword.ts${ESC}[0m`],
    [
      'code with numbers',
      () => lines('const token = await getToken();\nif (!password) {\n  return secret2;\n}', (line, i) => `${String(i + 1).padStart(6)}\t${line}`),
    ],
  ])('%s holds none', (_what, make) => {
    const text = make();
    expect(cleared(text)).toBe(text);
  });

  test.each(['\u200b', '\0', 'a\0', `${ESC}[0m`, '\\\n', '1:', '> ', '"a" + ', '     1\tpassword:\n', `${'a1'.repeat(40)}\n`, 'token \\\n'])(
    'takes time in proportion to the length: %j',
    (part) => {
      const { small, large } = timesOf(part, (text) => engine.scan(`password ${text}`, ''));
      expect(large).toBeLessThan(Math.max(400, small * 10));
    },
  );
});
