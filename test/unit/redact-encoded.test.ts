import { expect, test } from 'vitest';
import { createEngine } from '../../redact/engine/engine.ts';
import { sample, survives } from '../support/samples.ts';
import { clearedBy, timesOf } from '../support/scanning.ts';

const engine = createEngine();
const cleared = (text: string): string => clearedBy(engine, text);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const each = (text: string, write: (unit: number) => string): string => [...text].map((one) => write(one.charCodeAt(0))).join('');
const hex = (unit: number, size: number): string => unit.toString(16).padStart(size, '0');
const LINES = ['# settings of the service, several lines of them', 'name: billing', 'region: eu-west-1'].join('\n');

/** How a token is written so that no rule sees it as it stands. */
const FORMS: [string, (token: string) => string][] = [
  ['base64', base64],
  ['base64url', (token) => Buffer.from(`${token}~~~`).toString('base64url')],
  ['base64 without padding', (token) => base64(token).replace(/=+$/, '')],
  ['base64 of a document', (token) => base64(`{"auths":{"x":{"value":"${token}"}}}`)],
  ['base64 of a document in Chinese', (token) => base64(`配置文件：值为 ${token}，请勿外传`)],
  ['base64 of base64', (token) => base64(base64(token))],
  ['base64 of base64 of base64', (token) => base64(base64(base64(token)))],
  ['base64 that lost its beginning', (token) => base64(`${LINES}\n${token}`).slice(21)],
  ['base64 in lines', (token) => (base64(`${LINES}\nvalue: ${token}\n${LINES}`).match(/.{1,76}/g) as string[]).join('\n')],
  ['base64 in lines of a JSON text', (token) => (base64(`${LINES}\nvalue: ${token}\n${LINES}`).match(/.{1,60}/g) as string[]).join('\\n')],
  ['base64 in a path', (token) => `/v1/blobs/${base64(token)}/raw`],
  ['base64 behind an escaped line feed', (token) => `first\\n${base64(token)}`],
  ['base64 in colour', (token) => `\u001b[32m${base64(token)}\u001b[0m`],
  ['base64 in a URL', (token) => `https://x.dev/?state=${encodeURIComponent(base64(token))}`],
  ['a command of PowerShell', (token) => Buffer.from(`echo ${token}`, 'utf16le').toString('base64')],
  ['hex', (token) => Buffer.from(token).toString('hex')],
  ['hex with 0x', (token) => `0x${Buffer.from(token).toString('hex').toUpperCase()}`],
  ['URL', (token) => `https://x.dev/?next=${encodeURIComponent(`https://y.dev/?t=${token}`)}`],
  ['URL, twice', (token) => encodeURIComponent(encodeURIComponent(`{"a":"${token}"}`))],
  ['URL, every character', (token) => each(token, (unit) => `%${hex(unit, 2)}`)],
  ['units of JSON', (token) => each(token, (unit) => `\\u${hex(unit, 4)}`)],
  ['units of JSON in JSON', (token) => each(token, (unit) => `\\\\u${hex(unit, 4)}`)],
  ['bytes of a program', (token) => each(token, (unit) => `\\x${hex(unit, 2)}`)],
  ['entities of HTML', (token) => each(token, (unit) => `&#${unit};`)],
];
const TOKENS = ['ghp_{an36}', 'AKIA{b3216}', 'sk-proj-{url120}', 'glpat-{an20}', 'xoxb-{dig12}-{dig12}-{an24}', '{hex32}-us14', '{b6476}ACDb{b646}=='];

test.each(FORMS)('%s', (_form, write) => {
  for (const template of TOKENS) {
    const token = sample(template);
    const written = write(token);
    const left = cleared(`cfg=${written} done`);
    // Of an address the rest stays as it is.
    const middle = written.startsWith('https:') ? '' : written.slice(written.length / 3, (written.length * 2) / 3);
    for (let i = 0; i + 16 < middle.length; i += 8) expect(left).not.toContain(middle.slice(i, i + 16));
    expect(survives(token, left)).toBe(false);
    expect(left).toMatch(/^cfg=/);
    expect(left).toMatch(/ done$/);
  }
});

test('a name and its password', () => {
  for (let i = 0; i < 5; i++) expect(cleared(base64(`deploy:${sample('Q7{an14}x9')}`))).toBe('#');
  for (const text of ['sha256:Q7abcdefGHIJKL99', 'arrayconnection:1234567890', 'https://x.dev/A1b2C3d4', '010:Repository1296269'])
    expect(cleared(base64(text))).toBe(base64(text));
});

test('of a long document only what wraps the secret goes', () => {
  const token = sample('ghp_{an36}');
  const text = base64(`${'A line of a source map that is no secret.\n'.repeat(200)}${token}${'\nAnd a further line.'.repeat(200)}`);
  const left = cleared(text);
  expect(left.length).toBeGreaterThan(text.length - 80);
  expect(Buffer.from(left.replace('#', ''), 'base64').toString('latin1')).not.toContain(token.slice(8, 24));
});

test.each([
  ['a hash', 'sha512-{b6486}=='],
  ['a signature', 'Er{b64400}='],
  ['a sealed blob', 'gAAAA{url300}'],
  ['a picture', 'data:image/png;base64,iVBORw0KGgo{b64800}'],
  ['a commit', '{hex40}'],
  ['a UUID', '{hex8}-{hex4}-{hex4}-{hex4}-{hex12}'],
  ['ids of tools', 'toolu_01{an22} call_{an24} req_011C{an20} resp_{hex48}'],
  ['a path', '/srv/app/src/components/authentication/token-providers/index.ts'],
  ['an identifier', 'NL80211_ATTR_SECRET_KEY_OF_THE_STATION_2'],
])('%s is left alone', (_what, template) => {
  for (let i = 0; i < 20; i++) {
    const text = sample(template);
    expect(cleared(text)).toBe(text);
  }
});

test.each([
  ['text in base64', base64('The quick brown fox jumps over the lazy dog, and rests.')],
  ['a link', 'https://x.dev/?q=a%20b%2Fc&next=%2Fhome%2Fann'],
  ['a pattern of a program', '/^\\x20[\\u0041-\\u005a]+\\/$/ && printf("%3d%20s")'],
])('%s is left alone', (_what, text) => expect(cleared(text)).toBe(text));

test.each(['%3D', '%3Da ', '\\u003d', '&#61;', base64('aaaaaaaaaaaa'), `${base64('b'.repeat(57))}\n`, '61', 'MDA', 'S7', 'a/', 'a-_'])(
  'takes time in proportion to the length: %s',
  (part) => {
    const { small, large } = timesOf(part, (text) => engine.scan(text, ''));
    expect(large).toBeLessThan(Math.max(400, small * 10));
  },
);
