import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { pem, sample } from '../support/samples.ts';
import { redactedBy } from '../support/scanning.ts';

const key = randomBytes(32);
const cleared = (text: string): string => redactedBy(key, text);
const lines = (text: string, dress: (line: string, index: number) => string) => text.split('\n').map(dress).join('\n');
const block = pem();
const material = block.split('\n').slice(1, -1);
const encrypted = block.replace('\nMI', `\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${'AB'.repeat(16)}\n\nMI`);
const numbered = lines(block, (line, i) => `     ${i + 1}\t${line}`);

const FORMS: readonly (readonly [string, string])[] = [
  ['numbers of cat', numbered],
  ['numbers with arrows', lines(block, (line, i) => `${i + 1}→${line}`)],
  ['numbers with bars', lines(block, (line, i) => `  ${i + 1} │ ${line}`)],
  ['places of grep', lines(block, (line, i) => `k.pem:${i + 1}:${line}`)],
  ['a diff that takes it away', lines(block, (line) => `-${line}`)],
  ['a quote', lines(block, (line) => `> ${line}`)],
  ['a quote of a quote', lines(block, (line) => `> > ${line}`)],
  ['YAML', `key: |\n${lines(block, (line) => `  ${line}`)}`],
  ['comments', lines(block, (line) => `# ${line}`)],
  ['comments of C', lines(block, (line) => ` * ${line}`)],
  ['escapes', block.replaceAll('\n', '\\n')],
  ['escapes of escapes', block.replaceAll('\n', '\\\\\\\\n')],
  ['Windows, escaped', block.replaceAll('\n', '\\r\\n')],
  ['Windows', block.replaceAll('\n', '\r\n')],
  ['a list of lines', `[\n${lines(block, (line) => `  "${line}",`)}\n]`],
  ['a sum of lines', lines(block, (line) => `'${line}\\n' +`)],
  ['a line with spaces', block.replaceAll('\n', ' ')],
  ['a line', block.replaceAll('\n', '')],
  ['HTML', block.replaceAll('\n', '<br>')],
  ['entities', block.replaceAll('\n', '&#10;')],
  ['a URL', encodeURIComponent(block)],
  ['colours', lines(block, (line) => `\u001b[32m${line}\u001b[0m`)],
  ['the log of a job', lines(block, (line) => `2026-03-04T10:11:12.1234567Z ${line}`)],
  ['the log of services', lines(block, (line) => `app-1  | ${line}`)],
  ['a table', lines(block, (line) => `| ${line} |`)],
  ['no end', block.slice(0, 500)],
  ['no end, numbered', numbered.slice(0, 500)],
  ['no end, escaped', block.replaceAll('\n', '\\n').slice(0, 500)],
  ['no end, a list', `[\n${lines(block, (line) => `  "${line}",`)}`.slice(0, 500)],
  ['no end, encrypted', encrypted.slice(0, 600)],
  ['no begin', block.slice(100)],
  ['no begin, numbered', numbered.slice(150)],
  ['no begin, escaped twice', block.replaceAll('\n', '\\\\n').slice(120)],
  ['no begin, a quote', lines(block, (line) => `> ${line}`).slice(120)],
  ['no begin, a list', `${lines(block, (line) => `  "${line}",`)}\n]`.slice(150)],
  ['encrypted', encrypted],
  ['SSH2', block.replace(/-----(BEGIN|END) RSA PRIVATE KEY-----/g, '---- $1 SSH2 ENCRYPTED PRIVATE KEY ----').replace('----\n', '----\nComment: "x"\n')],
  ['PuTTY', `PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: ${material.length}\n${material.join('\n')}\nPrivate-MAC: ${'ab'.repeat(32)}`],
  ['a document in a document', JSON.stringify(JSON.stringify({ k: block }))],
];

describe('private keys', () => {
  test.each(FORMS)('%s', (form, text) => {
    const out = cleared(`before\n${text}\nafter`);
    expect(out).toMatch(/^before\n/);
    expect(out).toMatch(/\nafter$/);
    const whole = material.join('');
    const [from, to] = [90, form.startsWith('no end') ? 330 : 660];
    for (let i = from; i + 40 < to; i += 12) expect(out).not.toContain(whole.slice(i, i + 12));
  });

  test('of OpenVPN', () => {
    const label = 'OpenVPN Static key V1';
    const text = `-----BEGIN ${label}-----\n${sample('{hex512}').match(/.{32}/g)?.join('\n')}\n-----END ${label}-----`;
    expect(cleared(text)).toBe('#');
  });

  const certificate = block.replaceAll('RSA PRIVATE KEY', 'CERTIFICATE');
  const publicKey = block.replaceAll('RSA PRIVATE KEY', 'PUBLIC KEY');
  test.each([
    ['a certificate', certificate],
    ['a certificate without its begin', certificate.slice(100)],
    ['a numbered certificate', lines(certificate, (line, i) => `     ${i + 1}\t${line}`)],
    ['an escaped public key', publicKey.replaceAll('\n', '\\n')],
    ['a public key in a diff', lines(publicKey, (line) => `+${line}`)],
    ['two blocks', `${certificate}\n${publicKey}`],
    ['the marks alone', 'const BEGIN = "-----BEGIN PRIVATE KEY-----";\nconst END = "-----END PRIVATE KEY-----";'],
  ])('%s is none', (_what, text) => {
    expect(cleared(text)).toBe(text);
  });
});
