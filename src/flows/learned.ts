import { RelayError } from '#lib/errors.ts';
import { readLines } from '#lib/lines.ts';
import type { KnownValue, Redactor } from '#redact/index.ts';
import { valueFinder } from '#redact/known/value-finder.ts';

/** Thrown inside a build: secrets were found that also stand where no rule sees them, so the version is made again with them known. */
export class Learned extends Error {
  readonly values: readonly KnownValue[];

  constructor(values: readonly KnownValue[]) {
    super('secrets were learned');
    this.values = values;
  }
}

/** A value found by a rule teaches the next round; each round knows more, so there are few. */
const ROUNDS = 6;

/** Runs `attempt` until it finds no secret that it should have known from the beginning. `known` grows on the way. */
export async function untilNothingIsLearned<T>(attempt: () => Promise<T>, known: KnownValue[]): Promise<T> {
  for (let round = 1; round <= ROUNDS; round++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Learned)) throw error;
      known.push(...error.values);
    }
  }
  throw new RelayError(
    'secret-left',
    `After ${ROUNDS} passes over the session there are still secrets whose other copies have not been taken out.`,
    'Nothing was stored. Push once more; if that does not help, report it as a bug of the redaction.',
  );
}

/** A stream or a file beside it, in the order in which they are read. */
export interface Part {
  path: string;
  /** where reading began this time, in bytes: what stands before was read earlier, or not at all */
  from: number;
  end?: number | undefined;
}

/** A value that was found to be secret: what stands before that place had passed by then. */
interface Lesson {
  value: KnownValue;
  /** -1: before any part was read */
  part: number;
  /** where in the part the line begins */
  offset: number;
}

export interface Lessons {
  /** Asked after each line or file: whatever was learned since the last time was learned there. */
  note(part: number, offset: number): void;
  /**
   * The values that stand, in any form, where they had not been learned yet.
   * @param isChecked true: this value was looked for in all that was read earlier, too
   */
  missed(parts: readonly Part[], isChecked: (value: string) => boolean): Promise<KnownValue[]>;
}

export function lessonsOf(redactor: Redactor): Lessons {
  const lessons: Lesson[] = [];
  let count = 0;
  const note = (part: number, offset: number): void => {
    const now = redactor.learnedCount();
    if (now === count) return;
    for (const value of redactor.learned().slice(count - now)) lessons.push({ value, part, offset });
    count = now;
  };
  note(-1, 0);
  return {
    note,
    async missed(parts, isChecked) {
      note(parts.length, 0);
      const missed = new Set<KnownValue>();
      for (const [i, part] of parts.entries()) await lookBehind(part, i, lessons, isChecked, missed);
      return [...missed];
    },
  };
}

/** Looks at what of a part had passed when each of the values was learned. */
async function lookBehind(
  { path, from, end }: Part,
  part: number,
  lessons: readonly Lesson[],
  isChecked: (value: string) => boolean,
  missed: Set<KnownValue>,
): Promise<void> {
  const passed = new Map<KnownValue, { start: number; end: number }>();
  for (const { value, ...learned } of lessons) {
    const start = isChecked(value.value) ? from : 0;
    const limit = part < learned.part ? Number.POSITIVE_INFINITY : part === learned.part ? Math.max(from, learned.offset) : from;
    if (start < limit) passed.set(value, { start, end: limit });
  }
  if (!passed.size) return;
  const find = valueFinder([...passed.keys()]);
  const ranges = [...passed.values()];
  const [first, last] = [Math.min(...ranges.map((one) => one.start)), Math.min(end ?? Number.POSITIVE_INFINITY, Math.max(...ranges.map((one) => one.end)))];
  for await (const lines of readLines(path, first, Number.isFinite(last) ? last : undefined))
    for (const { bytes, offset } of lines)
      for (const value of find(bytes.toString('utf8'))) {
        const range = passed.get(value);
        if (range && offset >= range.start && offset < range.end) missed.add(value);
      }
}

/** Does what was read earlier hold one of the values, in any form? */
export async function holds(path: string, end: number, has: (text: string) => boolean): Promise<boolean> {
  for await (const lines of readLines(path, 0, end)) for (const { bytes } of lines) if (has(bytes.toString('utf8'))) return true;
  return false;
}
