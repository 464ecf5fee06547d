import { isCommonWord, isOpaque, isStandIn } from '../judge.ts';
import type { Rule } from './rule.ts';

const pair = (value: string): boolean => {
  const text = Buffer.from(value, 'base64').toString('latin1');
  return /^[\x20-\x7e]+$/.test(text) && text.includes(':');
};

/** What web protocols and command lines carry: signed tokens, headers, credentials in URLs. */
export const web: readonly Rule[] = [
  {
    kind: 'jwt',
    anchors: ['eyj'],
    notAfter: /[A-Za-z0-9_-]/,
    pattern: /eyJ[A-Za-z0-9_-]{8,6000}\.eyJ[A-Za-z0-9_-]{8,12000}(?:\.[A-Za-z0-9_-]{6,1400})?/y,
    hits: ['eyJ{url30}.eyJ{url80}.{url43}'],
    misses: ['eyJ{url30}'],
  },
  {
    kind: 'hdr',
    anchors: ['basic '],
    pattern: /basic ([A-Za-z0-9+/]{10,600}={0,2})/iy,
    check: pair,
    hits: ['Authorization: Basic c3ZjOm5vdC1hLXJlYWwtb25l'],
    misses: ['basic authentication is enough here'],
  },
  {
    kind: 'hdr',
    anchors: ['bearer '],
    pattern: /bearer[ ]{1,2}([A-Za-z0-9._~+/=-]{16,4000})/iy,
    check: isOpaque,
    hits: ['Authorization: Bearer 4{url42}'],
    misses: ['Authorization: Bearer $TOKEN', 'the bearer authentication-scheme'],
  },
  {
    kind: 'hdr',
    anchors: ['ssws ', 'authorization: token ', 'authorization: apikey '],
    pattern: /(?:SSWS|authorization: (?:token|apikey)) ([A-Za-z0-9._~+/=-]{16,400})/iy,
    check: (v) => !isStandIn(v),
    hits: ['authorization: token {an40}'],
    misses: ['authorization: token $TOKEN'],
  },
  {
    kind: 'hdr',
    anchors: ['x-api-key', 'x-auth-token', 'x-goog-api-key', 'api-key:'],
    pattern: /(?:x-api-key|x-auth-token|x-goog-api-key|api-key)["'\\]{0,4}[ \t]{0,3}[:=,][ \t]{0,3}["'\\]{0,4}([A-Za-z0-9._~+/=-]{12,400})/iy,
    check: isOpaque,
    hits: ['X-Api-Key: 7{an31}'],
    misses: ['X-Api-Key: required'],
  },
  {
    kind: 'url',
    anchors: ['://'],
    pattern: /:\/\/[^\s/?#@"'`<>:\\]{0,128}:([^\s/@"'`<>\\]{3,256})@/y,
    check: (v) => !isStandIn(v) && !isCommonWord(v),
    hits: ['postgres://app:{an16}@db-1.internal:5432/ledger', 'redis://:{an24}@cache:6379/0', 'https://oauth2:{an32}@git.corp.dev/a.git'],
    misses: ['https://user:pass@example.com/path', 'postgres://USER:PASSWORD@HOST:5432/DB', 'https://host:8080/path@2'],
  },
  {
    kind: 'otp',
    anchors: ['otpauth://'],
    pattern: /otpauth:\/\/[^\s"'<>]{0,200}[?&]secret=([A-Za-z2-7]{16,128})/y,
    hits: ['otpauth://totp/Acme:ann?secret={b3232}&issuer=Acme'],
    misses: ['otpauth://totp/Acme:ann?secret=SHORT'],
  },
  {
    kind: 'url',
    anchors: ['://'],
    pattern: /:\/\/([A-Za-z0-9_-]{20,256})@/y,
    check: isOpaque,
    hits: ['https://{an19}7x{an19}@git.corp.dev/a.git'],
    misses: ['https://git@github.com/a/b'],
  },
  {
    kind: 'cli',
    anchors: ['-u ', '--user ', '--user='],
    pattern: /-u(?:ser)?[ =]["']?[^\s:"'/]{1,64}:([^\s"']{5,200})/y,
    check: (v) => /[A-Za-z]/.test(v) && !isStandIn(v) && !isCommonWord(v),
    hits: ['curl -u ci:{an20} https://x.dev'],
    misses: ['docker run -u 1000:1000 x', 'curl -u user:$PASS https://x.dev'],
  },
  {
    kind: 'cli',
    anchors: ['sshpass -p'],
    pattern: /sshpass -p ?["']?([^\s"']{4,128})/y,
    check: (v) => !isStandIn(v),
    hits: ["sshpass -p '{an14}' ssh ops@10.0.0.4"],
    misses: ['sshpass -p $PW ssh x'],
  },
];
