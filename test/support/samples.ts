import { randomInt } from 'node:crypto';
import { seeded } from './generate.ts';

const CLASSES: Record<string, string> = {
  an: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  hex: '0123456789abcdef',
  xhex: '0123456789abcdefABCDEF',
  az: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
  up: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  url: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_',
  b64: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/',
  b32: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  b58: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  dig: '0123456789',
  low: 'abcdefghijklmnopqrstuvwxyz0123456789',
};

const some = (alphabet: string, count: number, below: (n: number) => number): string =>
  Array.from({ length: count }, () => alphabet.charAt(below(alphabet.length))).join('');

/** Tests draw the same samples on every run, or others by RELAY_TEST_SEED; proofs draw new ones. */
const drawn = process.env.VITEST ? seeded(process.env.RELAY_TEST_SEED ?? 'samples') : undefined;
export const anyBelow = (n: number): number => (drawn ? Math.floor(drawn() * n) : randomInt(n));

/**
 * Fills a template such as `abc_{an36}` (see redact/rules/rule.ts). Another one on each call, so no test holds a credential.
 * @param below a number in [0, n); for samples that must be the same on every run
 */
export function sample(template: string, below: (n: number) => number = anyBelow): string {
  return template.replace(/\{(b64|b58|b32|[a-z]+?)(\d+)\}/g, (match, name: string, count: string) => {
    const alphabet = CLASSES[name];
    if (!alphabet) throw new Error(`no class for ${match}`);
    const text = some(alphabet, Number(count), below);
    // At least one digit, since a token without any would be a word.
    return text.length > 8 && /[0-9]/.test(alphabet) ? `${text.slice(0, 3)}7${text.slice(4)}` : text;
  });
}

/** A private key block, made up. */
export function pem(label = 'RSA ', bytes = 700): string {
  const dashes = '-'.repeat(5);
  const body = sample(`MI{b64${bytes}}`).match(/.{1,64}/g) as string[];
  return [`${dashes}BEGIN ${label}PRIVATE KEY${dashes}`, ...body, `${dashes}END ${label}PRIVATE KEY${dashes}`].join('\n');
}

/** True where a run of 8 characters of the secret is left in the text. */
export function survives(secret: string, text: string): boolean {
  const size = Math.min(8, secret.length);
  for (let i = 0; i + size <= secret.length; i++) if (text.includes(secret.slice(i, i + size))) return true;
  return false;
}
