import { describe, expect, test } from 'vitest';
import { createGate, createRedactor } from '#redact/index.ts';
import { disorderLayer } from '../../redact/context/disorder.ts';
import { createEngine, type Engine } from '../../redact/engine/engine.ts';
import type { Layer } from '../../redact/engine/layer.ts';
import { type Personal, personalLayer } from '../../redact/settings/pii.ts';
import { sample } from '../support/samples.ts';
import { timesOf } from '../support/scanning.ts';

const own = { host: 'annes-laptop', users: ['annlee', 'Ann Lee', 'ann.lee@acme.dev'] };
const engines = new Map<string, Engine>();
const found = (text: string, layer: Layer) => {
  const engine = engines.get(layer.id) ?? createEngine({ layers: [layer] });
  engines.set(layer.id, engine);
  return engine.scan(text, '').map((hit) => [hit.kind, text.slice(hit.start, hit.end)]);
};
const inClass = (one: Personal, text: string) => found(text, personalLayer([one], own));

const HITS: [Personal, string, string][] = [
  ['email', 'mail ann.lee+x@acme.co.uk, please', 'ann.lee+x@acme.co.uk'],
  ['email', 'Author: Zoë <zoë@büro-acme.dev>'.replace('büro-', ''), 'zoë@acme.dev'],
  ['email', 'see git@acme.dev today', 'git@acme.dev'],
  ['email', '+ann@acme.dev', 'ann@acme.dev'],
  ['ipv4', 'ssh 10.20.30.40 -p 22', '10.20.30.40'],
  ['ipv4', 'from 81.2.69.142:443.', '81.2.69.142'],
  ['ipv6', 'at [2a02:8070:88a1::5] now', '2a02:8070:88a1::5'],
  ['phone', 'call +49 30 901820 or', '+49 30 901820'],
  ['phone', 'call +1 (415) 555-2671.', '+1 (415) 555-2671'],
  ['phone', 'call (415) 555-2671', '(415) 555-2671'],
  ['phone', '电话13812345678。', '13812345678'],
  ['host', 'ssh build-7.eu.acme.internal', 'build-7.eu.acme.internal'],
  ['host', 'on annes-laptop:', 'annes-laptop'],
  ['host', 'http://nas.lan/x', 'nas.lan'],
  ['user', '-rw-r--r-- 1 annlee staff 5', 'annlee'],
  ['user', 'Signed-off-by: ann lee <x>', 'ann lee'],
];
const MISSES: [Personal, string][] = [
  ['email', 'git@github.com:acme/proj.git'],
  ['email', 'a@example.com b@host.example c@x.invalid'],
  ['email', 'lodash@4.17.21 icon@2x.png @types/node @media'],
  ['ipv4', '127.0.0.1 0.0.0.0 255.255.255.0 192.0.2.7 v1.2.3.4 version: 1.2.3.4 1.2.3.4.5 300.1.1.1'],
  ['ipv6', 'std::string a::b ::1 12:30:45 aa:bb:cc:dd:ee:ff 2001:db8::7 dead::face'],
  ['phone', '1735689600000 2026-12-01 10:00:00 +1234567 0.12345678901 192-168-0-1'],
  ['host', 'settings.local.json .env.local example.com host.docker.internal process.env.local x.internal()'.replace('x.internal()', 'java.internal')],
  ['user', 'annleesson xannlee ann-lee-1 annlee_x'],
];

describe('personal data', () => {
  test.each(HITS)('%s: %s', (one, text, value) => {
    const kind = { ipv4: 'ip', ipv6: 'ip', phone: 'tel' }[one as string] ?? one;
    expect(inClass(one, text)).toEqual([[kind, value]]);
  });
  test.each(MISSES)('%s is not in: %s', (one, text) => {
    expect(inClass(one, text)).toEqual([]);
  });
  test('is only looked for where it is asked for', () => {
    for (const [, text] of HITS) expect(found(text, personalLayer([], own))).toEqual([]);
  });

  test('leaves nothing for the gate, and is not learned', () => {
    const key = Buffer.alloc(32, 1);
    const layers = [personalLayer(['email', 'ipv4', 'ipv6', 'phone', 'host', 'user'], own)];
    const redactor = createRedactor({ key, layers });
    const clean = redactor.text(HITS.map(([, text]) => text).join('\n'), 'x');
    for (const [, , value] of HITS) expect(clean).not.toContain(value);
    expect(createGate({ key, layers }).check(Buffer.from(clean), 'x')).toEqual([]);
    expect(redactor.learned()).toEqual([]);
  });

  test.each(['a@', '1.', '1.1.1.', ':', 'a:', '+1 ', '+1', '(1', 'a.', 'a.local', '1380000', '@a.'])('takes time in proportion to the length: %s', (part) => {
    const engine = createEngine({ layers: [personalLayer(['email', 'ipv4', 'ipv6', 'phone', 'host', 'user'], own), disorderLayer] });
    const { small, large } = timesOf(part, (text) => engine.scan(text, ''), 20_000);
    expect(large).toBeLessThan(Math.max(600, small * 12));
  });
});

describe('what looks random', () => {
  test.each(['{an24}', '{an40}', '{url43}', '{b6440}'])('%s is found', (template) => {
    const lost = Array.from({ length: 200 }, () => sample(template)).filter((token) => found(`x ${token} y`, disorderLayer).length === 0);
    expect(lost.length).toBeLessThan(20);
  });
  test.each([
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '0b0f4c0e-2f0e-4e0a-9b1c-1a2b3c4d5e6f',
    `sha512-${'Zx9'.repeat(28)}Ag==`,
    `toolu_01${'A1b2C3d4'.repeat(2)}`,
    'getUserByIdentifierAndTenant2 mustBeStringOrUint8Array',
    'src/components/Button2/index-of-things.test.tsx',
    'CONFIG_MAX_RETRIES_V2=ENABLED_BY_DEFAULT_2024',
    'release-2024-11-05-build-1234-linux-x86_64',
  ])('%s is not', (text) => {
    expect(found(text, disorderLayer)).toEqual([]);
  });
});
