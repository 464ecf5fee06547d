import { randomBytes, randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRedactor } from '#redact/index.ts';
import { sample } from '../support/samples.ts';

const key = randomBytes(32);
const one = (of: readonly string[]): string => of[randomInt(of.length)] as string;
const word = (): string => one(['Sommer', 'tiger', 'Blue', 'horse', 'River', 'monkey', 'Dragon', 'coffee', 'Berlin', 'soccer']);
const symbol = (): string => one(['!', '@', '#', '$', '%', '^', '&', '*', '?', '+', '=']);

/** What people and services use, as often as not. */
const VALUES: readonly (() => string)[] = [
  () => `${word()}20${sample('{dig2}')}${symbol()}`,
  () => `${word()}-${word()}-${sample('{dig2}')}`,
  () => `${word()}${symbol()}${sample('{dig1}')}${word()}`,
  () => `${word()}${word()}${sample('{dig2}')}`,
  () => sample('{an12}'),
  () => sample('{an20}'),
  () => sample('{hex40}'),
  () => `${sample('{b6443}')}=`,
  () => sample('{url43}'),
  () => sample('{hex8}-{hex4}-4{hex3}-a{hex3}-{hex12}'),
];
const TOLD: readonly ((value: string) => string)[] = [
  (v) => `DB_PASSWORD=${v}`,
  (v) => `{"password": ${JSON.stringify(v)}}`,
  (v) => `postgres://app:${encodeURIComponent(v)}@db.corp.dev/x`,
  (v) => `mysql --password='${v}' -u root`,
];

test('of 200 values that are told once, at least 170 are found where they stand bare', () => {
  let gone = 0;
  for (let i = 0; i < 200; i++) {
    const value = (VALUES[i % VALUES.length] as () => string)();
    const redactor = createRedactor({ key });
    redactor.text((TOLD[Math.floor(i / VALUES.length) % TOLD.length] as (v: string) => string)(value), 'main 0');
    if (!redactor.text(`and then we saw ${value} in the output`, 'main 1').includes(value)) gone++;
  }
  expect(gone).toBeGreaterThanOrEqual(170);
});

/** Names that stand in many places of a session; a secret's name beside one of them must not take it out of all of them. */
const NAMES = `production localhost postgres postgres16 gpt-4o-mini python3.11-slim utf8mb4_general_ci node18-alpine claude-opus-4-5 us-east-1
  eu-central-1a bcrypt12 argon2id oauth2-proxy keycloak:26.0 v1.2.3-beta.4 user_password_2 localhost:5432 base64url RS256-sig step-2-of-3 app2-service
  getPassword2 hashPassword db-credentials-v2 vault:secret/data/app1 session.token2 cl100k_base max_tokens=4096 minLength8 release-2024-10
  k8s-secret-store README.md#auth2 http2-only x509-cert Required! Important! isValid! foo&bar`
  .split(/\s+/)
  .filter(Boolean);

test.each(NAMES)('%s is not learned', (name) => {
  for (const told of TOLD) {
    const redactor = createRedactor({ key });
    redactor.text(told(name), 'main 0');
    expect(redactor.text(`use ${name} here`, 'main 1')).toBe(`use ${name} here`);
  }
});
