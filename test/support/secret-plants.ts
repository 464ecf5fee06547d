import { pem, sample } from './samples.ts';

/** A text with a secret in it. */
export interface Planted {
  text: string;
  secret: string;
}

const inside = (before: string, secret: string, after = ''): Planted => ({ text: before + secret + after, secret });

/** Secrets told by their shape, by the name beside them, by a header, a URL or markers. New on each call. */
export const PLANTS: readonly (() => Planted)[] = [
  () => inside('', sample('ghp_{an36}')),
  () => inside('key: ', sample('sk-ant-api03-{url93}AA')),
  () => inside('', sample('AKIA{b3216}')),
  () => inside('password = "', sample('Wq7!{an20}'), '"'),
  () => inside('postgres://app:', sample('{an18}'), '@db.internal:5432/x'),
  () => inside('Authorization: Bearer ', sample('4{url42}')),
  () => inside('DB_PASSWORD=', sample('{an20}-9x#4'), '\n'),
  () => inside('', pem(), ''),
  () => inside('{"client_secret":"', sample('{an32}'), '"}'),
  () => inside('curl -H "X-Api-Key: ', sample('7{an31}'), '" https://api.acme.dev'),
];

/** What of a planted secret must be gone: a private key's markers may stay. */
export const coreOf = (secret: string): string => secret.replace(/-----[A-Z ]+-----/g, '').replaceAll('\n', '');
