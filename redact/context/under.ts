import { copyOf } from '../copy.ts';
import type { Hit } from '../engine/ranges.ts';
import { cookiePairs } from '../shapes/cookies.ts';
import { isSecret } from './judge.ts';
import { isSecretName } from './names.ts';

const NOTHING: readonly Hit[] = [];
/** Names that say what their value holds without being the name of a secret. */
const HOLDERS = /^(?:(?:set-)?cookie|(?:proxy-)?authorization|auth|d|dp|dq|qi)$/i;
/** The scheme of an authorization, and what it gives. */
const GIVEN = /^(?:[A-Za-z][\w-]{1,24} )?(?:token=)?["']?([^\s"',;]{8,4000})["']?$/;
/** A number of a private JSON web key. */
const NUMBER = /^[A-Za-z0-9_-]{40,1400}$/;

/** base64 of user:password, as in the configuration of Docker */
const isPair = (text: string): boolean =>
  /^[A-Za-z0-9+/]{12,600}={0,2}$/.test(text) && /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(text, 'base64').toString('latin1'));

const holds = (name: string): boolean => name.length <= 20 && HOLDERS.test(name);
/** Does a name make a secret of what stands under it? */
export function tellsSecret(name: string): boolean {
  let tells = telling.get(name);
  if (tells === undefined) {
    tells = isSecretName(name) || holds(name);
    if (telling.size < REMEMBERED) telling.set(copyOf(name), tells);
  }
  return tells;
}
/** It is asked of the same keys over and over. */
const telling = new Map<string, boolean>([['', false]]);
const REMEMBERED = 20_000;

/** The whole text as the value of a name (a JSON key, an option). */
export function valueUnder(text: string, name: string): readonly Hit[] {
  if (isSecretName(name)) return isSecret(text, name, 'quoted') ? [{ start: 0, end: text.length, kind: 'pw', rank: 0 }] : NOTHING;
  return holds(name) ? held(text, name.toLowerCase()) : NOTHING;
}

function held(text: string, name: string): readonly Hit[] {
  if (name.endsWith('cookie')) return cookiePairs(text, 0).hits;
  if (name.endsWith('authorization')) {
    const value = GIVEN.exec(text)?.[1];
    if (!value || !isSecret(value, 'token', 'quoted')) return NOTHING;
    const start = text.lastIndexOf(value);
    return [{ start, end: start + value.length, kind: 'hdr', rank: 0 }];
  }
  if (name === 'auth') return isPair(text) ? [{ start: 0, end: text.length, kind: 'docker', rank: 0 }] : NOTHING;
  return NUMBER.test(text) && isSecret(text, 'token', 'quoted') ? [{ start: 0, end: text.length, kind: 'pem', rank: 0 }] : NOTHING;
}
