import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createRedactor } from '#redact/index.ts';
import { sample } from '../support/samples.ts';

const key = randomBytes(32);
const html = (text: string) => text.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`);
const base64 = (text: string) => Buffer.from(text).toString('base64');

const VALUES: Record<string, () => string> = {
  'an opaque token': () => sample('{an40}'),
  'a password with symbols': () => `${sample('Tiger{an6}')}&"<\\'/+=$ ${sample('{an4}')}`,
  'a password without a run of letters': () => sample("a{dig1}!b{dig1}#c{dig1}&d{dig1}'e"),
  'a password in another script': () => `${sample('пароль{an4}')}ключ-口令`,
  'a value that begins with backslashes': () => `\\\\"${sample('{an12}')}\\\\\\`,
  'lines of a key': () => `${sample('{an20}')}\n${sample('{an20}')}\r\n\t${sample('{an4}')}`,
};

const FORMS: Record<string, (value: string) => string> = {
  itself: (v) => v,
  'a JSON string': (v) => `note: ${JSON.stringify({ a: v })} end`,
  'JSON in JSON': (v) => `x ${JSON.stringify(JSON.stringify({ a: v }))}`,
  'JSON at four levels': (v) => `x ${[1, 2, 3].reduce((text) => JSON.stringify(text), JSON.stringify({ a: v }))}`,
  'ASCII JSON': (v) => `x ${JSON.stringify(v).replace(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)}`,
  'a URL': (v) => `https://example.com/?q=${encodeURIComponent(v)}&x=1`,
  'a URL in small letters': (v) => `https://x.dev/?q=${encodeURIComponent(v).replace(/%[0-9A-F]{2}/g, (one) => one.toLowerCase())}`,
  'a form': (v) => `${new URLSearchParams({ q: v })}`,
  HTML: (v) => `<b>${html(v)}</b>`,
  'named HTML': (v) => `<b>${v.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')}</b>`,
  'a shell string': (v) => `echo '${v.replaceAll("'", "'\\''")}'`,
  base64: base64,
  'base64, shifted by one': (v) => base64(`.${v}.`),
  'base64, shifted by two': (v) => base64(`..${v}..`),
  'base64 for URLs': (v) => Buffer.from(`{"k":"${v}~~~???"}`).toString('base64url'),
  'base64 in a long run': (v) => `data ${base64(`${'lorem ipsum '.repeat(300)}${v}${' dolor sit'.repeat(300)}`)} end`,
  hex: (v) => `0x${Buffer.from(v).toString('hex')}`,
  'hex in capitals': (v) => Buffer.from(v).toString('hex').toUpperCase(),
};

describe.each(Object.entries(VALUES))('%s that is known', (_what, make) => {
  test.each(Object.entries(FORMS))('is found as %s', (_form, write) => {
    const value = make();
    const text = write(value);
    const redactor = createRedactor({ key, known: [{ value, kind: 'known' }] });
    const made = redactor.text(text, 'x');
    expect(made).toContain('[REDACTED:');
    const escaped = JSON.stringify(value).slice(1, -1);
    for (const left of [value, escaped, text]) expect(made.includes(left)).toBe(false);
    // No more than a few characters of the value are left in any form.
    const rest = made.replace(/\[REDACTED:[a-z0-9]+:[0-9a-f]{8}\]/g, '');
    for (const run of value.match(/\w{4,}/g) ?? []) expect(rest.includes(run)).toBe(false);
  });
});

describe('a known value', () => {
  test('inside base64 takes the whole run with it, and nothing else', () => {
    const value = sample('{an24}');
    const redactor = createRedactor({ key, known: [{ value, kind: 'known' }] });
    expect(redactor.text(`blob: ${base64(`user=ann;key=${value};x`)} end`, 'x')).toMatch(/^blob: \[REDACTED:b64:[0-9a-f]{8}\] end$/);
  });

  test('inside base64 that is broken into lines is found', () => {
    const value = sample('{an40}');
    const redactor = createRedactor({ key, known: [{ value, kind: 'known' }] });
    let missed = 0;
    for (let shift = 0; shift < 76; shift++) {
      const lines = base64(`${'x'.repeat(shift)}${value} tail of it all`).match(/.{1,76}/g) ?? [];
      const made = redactor.text(lines.join('\n'), 'x');
      if (
        Buffer.from(made.replace(/\[REDACTED.*?\]/g, ''), 'base64')
          .toString('latin1')
          .includes(value.slice(0, 12))
      )
        missed++;
    }
    // Only where the break falls into the few characters that are looked for.
    expect(missed).toBeLessThan(16);
  });

  test('that is short is no part of a longer word, an escape is none', () => {
    const value = sample('ab{dig6}');
    const redactor = createRedactor({ key, known: [{ value, kind: 'known' }] });
    expect(redactor.text(`x${value} ${value}x`, 'x')).toBe(`x${value} ${value}x`);
    for (const text of [`%22${value}%22`, `\\n${value}\\n`, `_${value}_`, `&quot;${value}&quot;`]) expect(redactor.text(text, 'x')).not.toContain(value);
  });

  test('of many backslashes costs no more than others', () => {
    const value = `${'\\'.repeat(30)}abcd${'\\'.repeat(30)}`;
    const redactor = createRedactor({ key, known: [{ value, kind: 'known' }] });
    const started = performance.now();
    redactor.text(`${'\\'.repeat(5000)}abcd`.repeat(40), 'x');
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
