import type { Layer } from '../engine/layer.ts';
import { entropy, isStandIn } from './judge.ts';

/**
 * Tokens that look random and that no rule knows: what redact.paranoid takes out. Not hashes and ids, which say where something is and open
 * nothing: hex, UUIDs, integrity hashes of lock files, ids of messages and calls, paths, names.
 */
const TOKEN = /[A-Za-z0-9+/_=-]{20,}/g;
const SHORTEST = 20;
/** What is longer is data, such as an image. In UTF-16 units. */
const LONGEST = 256;
const BITS = 3.7;
/** So often, per character, random text changes between capitals, small letters and digits; names do so at the beginnings of words. */
const CHANGES = 0.3;

const HEX_OR_UUID = /^(?:0x)?[0-9a-f-]+$|^[0-9A-F-]+$/;
const ID_BEFORE = /(?:sha(?:1|224|256|384|512)|md5|blake2b|h1)[-:=]$/i;
const ID = /^(?:toolu|call|msg|req|resp|rs|fc|ctc|item|run|thread|evt|chatcmpl|cmpl|session|task|agent)[_-]/;

const classOf = (c: number): number => (c >= 48 && c <= 57 ? 0 : c >= 65 && c <= 90 ? 1 : c >= 97 && c <= 122 ? 2 : 3);

function changesIn(text: string): number {
  let changes = 0;
  for (let i = 1; i < text.length; i++) if (classOf(text.charCodeAt(i)) !== classOf(text.charCodeAt(i - 1))) changes++;
  return changes / text.length;
}

/** How much of a text are words, as names in programs are made of: from 0 to 1. */
const wordy = (text: string): number => (text.match(/[A-Z]?[a-z]{3,}/g) ?? []).join('').length / text.length;
/** More than this is not random. Of text in small letters half would be by chance, so there the digits decide. */
const WORDY_MAX = 0.55;

/** Does a token look random? Letters and digits mixed without words; hex and UUIDs do not count. */
export function isDisorderly(token: string): boolean {
  if (token.length < SHORTEST || token.length > LONGEST || HEX_OR_UUID.test(token)) return false;
  // Of what is joined by dashes, slashes and the like, at least one part has to be random by itself, and long.
  const parts = token.split(/[-_/=]+/);
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
  if (longest.length < 12 || HEX_OR_UUID.test(longest)) return false;
  if (!/\d/.test(longest) || changesIn(longest) <= CHANGES || entropy(token) <= BITS || isStandIn(token)) return false;
  return /[A-Z]/.test(longest) ? wordy(longest) < WORDY_MAX : longest.replace(/\D/g, '').length > 2;
}

/** Looks for tokens that look random in each text. */
export const disorderLayer: Layer = {
  id: 'disorder 1',
  words: [],
  whole(text, found) {
    if (text.length < SHORTEST) return;
    for (const { 0: token, index } of text.matchAll(TOKEN)) {
      if (ID.test(token) || ID_BEFORE.test(text.slice(Math.max(0, index - 8), index)) || /^sha\d{1,3}-/.test(token) || !isDisorderly(token)) continue;
      found.hits.push({ start: index, end: index + token.length, kind: 'random', rank: 0 });
    }
  },
};
