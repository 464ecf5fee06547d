import { copyOf } from './copy.ts';
import type { Engine } from './engine/engine.ts';
import type { Hit, Range } from './engine/ranges.ts';
import { imageStart } from './inner/images.ts';
import { jsonContainer, type LiteralVisitor, mapLiterals } from './json/literals.ts';
import { mapParsed } from './json/parsed.ts';
import type { Taken } from './taken.ts';

/** Rounds until a text has no hit left: each replaces at least one. */
const ROUNDS = 6;

/** The text with a placeholder for every secret. What was taken out is added to `taken`. */
export function cleanText(engine: Engine, text: string, name: string, taken: Taken[], label: (one: Taken) => string): string {
  const image = imageStart(text);
  if (image !== undefined) return cleanImage(engine, text, image, taken);
  const value = jsonContainer(text);
  if (value !== undefined) {
    const visitor = (taken: Taken[]): LiteralVisitor => ({
      string: (value, called) => cleanText(engine, value, called, taken, label),
      key: (value) => cleanText(engine, value, '', taken, label),
      scalar: (raw, called) => (engine.scalar(raw, called) ? take({ kind: 'pw', value: raw, rank: 0 }, taken, label) : undefined),
    });
    const parsed: Taken[] = [];
    const made = mapParsed(text, value, visitor(parsed), name);
    if (made === undefined) return mapLiterals(text, visitor(taken), name);
    taken.push(...parsed);
    return made;
  }
  let made = text;
  for (let round = 0; round < ROUNDS; round++) {
    const hits = engine.scan(made, name);
    if (!hits.length) return made;
    const before = taken.length;
    const { text: clean, places } = replaced(made, hits, taken, label);
    made = clean;
    // Placeholders have moved what a later round finds.
    if (round) for (const one of taken.slice(before)) one.at = Math.max(0, text.indexOf(one.value));
    if (!name && isCleanAround(engine, made, places)) return made;
  }
  // Still hits: rather the whole text than a part of a secret.
  return engine.scan(made, name).length ? take({ kind: 'text', value: text, rank: 0 }, taken, label) : made;
}

function take(one: Taken, taken: Taken[], label: (one: Taken) => string): string {
  taken.push(one);
  return label(one);
}

function replaced(text: string, hits: readonly Hit[], taken: Taken[], label: (one: Taken) => string): { text: string; places: Range[] } {
  const places: Range[] = [];
  let out = '';
  let from = 0;
  for (const hit of hits) {
    out += text.slice(from, hit.start);
    const start = out.length;
    out += take({ kind: hit.kind, value: copyOf(text.slice(hit.start, hit.end)), rank: hit.rank, at: hit.start }, taken, label);
    places.push({ start, end: out.length });
    from = hit.end;
  }
  return { text: out + text.slice(from), places };
}

/** The first blank from `at` on, so that no word is cut; `end` where there is none before it. */
function blankFrom(text: string, at: number, end: number): number {
  let to = at;
  while (to < end && text.charCodeAt(to) > 32) to++;
  return to;
}

/** So far around a placeholder something else may be found once the secret is gone, in UTF-16 units. */
const AROUND = 480;

/** What is looked for over more than that: with less between them, two things may be near each other. */
const FAR = /kind: ["']?secret\b|-----(?:begin|end) /i;

/**
 * Is there nothing left to find around the placeholders? Everything else was looked at already. Where their surroundings are
 * most of the text, it is as well looked at once more.
 */
function isCleanAround(engine: Engine, text: string, places: readonly Range[]): boolean {
  const around: Range[] = [];
  for (const place of places) {
    const last = around[around.length - 1];
    if (last && place.start - AROUND <= last.end) last.end = place.end + AROUND;
    else around.push({ start: place.start - AROUND, end: place.end + AROUND });
  }
  const size = around.reduce((sum, { start, end }) => sum + end - start, 0);
  if (size * 2 >= text.length || FAR.test(text)) return false;
  return around.every(({ start, end }) => {
    const from = start > 0 ? blankFrom(text, start, start + AROUND) : 0;
    return !engine.scan(text.slice(from, blankFrom(text, end, end + AROUND)), '').length;
  });
}

/** Text inside a picture's bytes (EXIF, PNG text) is overwritten in place, so that the picture stays one. */
function cleanImage(engine: Engine, text: string, start: number, taken: Taken[]): string {
  const bytes = Buffer.from(text.slice(start), 'base64');
  const hits = engine.scan(bytes.toString('latin1'), '').filter((hit) => hit.rank > 0);
  if (!hits.length) return text;
  for (const hit of hits) {
    taken.push({ kind: hit.kind, value: bytes.toString('latin1', hit.start, hit.end), rank: hit.rank });
    bytes.fill('*', hit.start, hit.end);
  }
  return text.slice(0, start) + bytes.toString('base64');
}
