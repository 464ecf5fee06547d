import { openRegular } from '#lib/regular.ts';
import { fingerprints, type KnownValue, type Redactor } from '#redact/index.ts';
import type { SessionSource } from '#session/source.ts';

/** Thrown inside a build: secrets were found that also stand where no rule sees them, so the version is made again with them known. */
class Learned extends Error {
  readonly values: readonly KnownValue[];

  constructor(values: readonly KnownValue[]) {
    super('secrets were learned');
    this.values = values;
  }
}

/** A value found by a rule teaches the next round; each round knows more, so there are few. */
const ROUNDS = 4;

/** Runs `attempt` until it finds no secret that it should have known from the beginning. `known` grows on the way. */
export async function untilNothingIsLearned<T>(attempt: () => Promise<T>, known: KnownValue[]): Promise<T> {
  for (let round = 1; ; round++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Learned) || round >= ROUNDS) throw error;
      known.push(...error.values);
    }
  }
}

/**
 * Throws when a secret that was found in this pass stands more often in the source than it was taken out: an earlier copy,
 * bare of what makes a rule see it, has passed by then.
 */
export async function needNoSecondPass(source: SessionSource, redactor: Redactor, key: Buffer, known: readonly KnownValue[]): Promise<void> {
  const before = new Set(known.map((k) => k.value));
  const fresh = redactor.learned().filter((k) => !before.has(k.value));
  if (!fresh.length) return;
  const print = fingerprints(key);
  const taken = new Map<string, number>();
  for (const { fingerprint, count } of redactor.report().findings) taken.set(fingerprint, (taken.get(fingerprint) ?? 0) + count);
  const needles = fresh.map((k) => ({ known: k, bytes: Buffer.from(JSON.stringify(k.value).slice(1, -1), 'utf8'), count: 0 }));
  for (const path of [...source.streams, ...source.files].map((s) => s.path)) await countIn(path, needles);
  const missed = needles.filter((n) => n.count > (taken.get(print(n.known.value)) ?? 0)).map((n) => n.known);
  if (missed.length) throw new Learned(missed);
}

/** Bytes looked at together. */
const CHUNK = 8 * 1024 * 1024;

async function countIn(path: string, needles: { bytes: Buffer; count: number }[]): Promise<void> {
  const longest = Math.max(...needles.map((n) => n.bytes.length));
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(size, CHUNK + longest));
    for (let at = 0; at < size; at += CHUNK) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length, at);
      const chunk = buffer.subarray(0, bytesRead);
      // What begins in the overlap is counted with the next chunk.
      for (const needle of needles)
        for (let hit = chunk.indexOf(needle.bytes); hit >= 0 && hit < CHUNK; hit = chunk.indexOf(needle.bytes, hit + needle.bytes.length)) needle.count++;
    }
  } finally {
    await file.close();
  }
}
