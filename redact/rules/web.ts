import { isCommonWord, isOpaque, isStandIn, isStriking } from '../context/judge.ts';
import type { Rule } from './rule.ts';

const pair = (value: string): boolean => {
  const text = Buffer.from(value, 'base64').toString('latin1');
  return /^[\x20-\x7e]+$/.test(text) && text.includes(':');
};
const chosen = (v: string): boolean => !isStandIn(v) && !isCommonWord(v);

/** What web protocols carry: signed tokens, headers, credentials in URLs. */
export const web: readonly Rule[] = [
  {
    kind: 'jwt',
    anchors: ['eyj'],
    long: true,
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
    anchors: ['ssws '],
    pattern: /SSWS ([A-Za-z0-9._~+/=-]{16,400})/iy,
    check: (v) => !isStandIn(v),
    hits: ['authorization: SSWS {an40}'],
    misses: ['authorization: SSWS $TOKEN'],
  },
  {
    kind: 'hdr',
    anchors: ['authorization'],
    pattern:
      /authorization(?:["'`\\]{0,4}\]?|&quot;)[ \t]{0,3}(?:[:=,]|=>)[ \t]{0,3}(?:["'`\\]{0,4}|&quot;)(?:[A-Za-z][\w-]{1,24}[ ]{1,2}["\\]{0,2})?(?:token=)?([A-Za-z0-9._~+/=:-]{16,4000})/iy,
    check: (v) => isOpaque(v) && isStriking(v),
    hits: ['authorization: token {an40}', 'Authorization: 7{hex39}', '"Authorization": "GenieKey {an30}"'],
    misses: ['authorization: token $TOKEN', 'Authorization: AWS4-HMAC-SHA256 Credential=A/20260304/eu-west-1/s3/aws4_request'],
  },
  {
    kind: 'hdr',
    anchors: ['signature='],
    pattern: /Signature=([0-9a-f]{40,64})/y,
    hits: ['SignedHeaders=host, Signature={hex64}'],
    misses: ['Signature={hex12}'],
  },
  {
    kind: 'hdr',
    anchors: ['response='],
    pattern: /response="?([0-9a-f]{32,64})/y,
    hits: ['Digest username="ann", response="{hex32}"'],
    misses: ['response="{hex12}"'],
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
    pattern: /:\/\/[^\s/?#@"'`<>:\\]{0,128}:([^\s/"'`<>\\?]{3,256})@/y,
    check: chosen,
    hits: ['postgres://app:{an16}@db-1.internal:5432/ledger', 'redis://:{an24}@cache:6379/0', 'https://oauth2:{an32}@git.corp.dev/a.git'],
    misses: ['https://user:pass@example.com/path', 'postgres://USER:PASSWORD@HOST:5432/DB', 'https://host:8080/path@2'],
  },
  {
    // not percent-encoded, though it had to be
    kind: 'url',
    anchors: ['://'],
    pattern: /:\/\/[^\s/?#@"'`<>:\\]{1,128}:(?!\d{1,5}\/)([^\s/@"'`<>\\?]{0,200}\/[^\s@"'`<>\\?]{1,200})@/y,
    check: (v) => chosen(v) && isStriking(v),
    hits: ['postgres://app:Q7{an12}/x+{an9}@db/x'],
    misses: ['https://host:8080/path@2', 'http://localhost:3000/@fs/a'],
  },
  {
    kind: 'url',
    anchors: ['://'],
    pattern: /:\/\/([A-Za-z0-9_-]{20,256})(?::x-oauth-basic)?@/y,
    check: isOpaque,
    hits: ['https://{an19}7x{an19}@git.corp.dev/a.git'],
    misses: ['https://git@github.com/a/b'],
  },
  {
    kind: 'url',
    anchors: ['?key=', '&key=', '?code=', '&code=', '?sig=', '&sig=', '?auth=', '&auth=', '?sid=', '&sid=', '&amp;key='],
    pattern: /[?&;](?:key|code|sig|auth|sid)=([A-Za-z0-9._~+/%=-]{24,2000})/iy,
    check: isStriking,
    hits: ['https://maps.corp.dev/v1/x?key=7{an38}', 'https://x.dev/cb?code=4{an38}'],
    misses: ['https://x.dev/?key=user.settings.theme.color', 'https://x.dev/?code=200'],
  },
  {
    kind: 'url',
    anchors: ['jdbc:oracle:', 'sqlplus ', 'expdp ', 'impdp '],
    pattern: /(?:jdbc:oracle:\w{2,5}:|(?:sqlplus|expdp|impdp) (?:-\w{1,2} )?["']?)[\w.$#-]{1,64}\/([^\s/@"']{4,128})@/iy,
    check: chosen,
    hits: ['jdbc:oracle:thin:app/{an12}@//db:1521/x', 'sqlplus app/{an12}@db'],
    misses: ['jdbc:oracle:thin:@//db:1521/x'],
  },
  {
    kind: 'otp',
    anchors: ['otpauth://'],
    pattern: /otpauth:\/\/[^\s"'<>]{0,200}[?&]secret=([A-Za-z2-7]{16,128})/y,
    hits: ['otpauth://totp/Acme:ann?secret={b3232}&issuer=Acme'],
    misses: ['otpauth://totp/Acme:ann?secret=SHORT'],
  },
];
