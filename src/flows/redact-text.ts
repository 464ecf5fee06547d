import { createRedactor, type KnownValue, type RedactionOptions, type RedactionReport, type Redactor, redactStream } from '#redact/index.ts';
import type { Input } from './redact-input.ts';

/** What was found in an input, by which rules. */
export interface Redacted extends RedactionReport {
  /** version of the engine */
  engine: string;
  /** hash of the rules that were looked for, the settings' own among them: equal findings can be expected of equal rules only */
  rules: string;
}

export interface RedactTo {
  /** Takes what is given out; undefined: nothing is, only the findings are wanted. */
  write?: (bytes: Buffer) => Promise<void>;
  /** told how many bytes have been looked at, of both passes together */
  progress?: (bytes: number) => void;
}

/** Bytes gathered before they are written. */
const WRITTEN_AT_ONCE = 256 * 1024;

/**
 * Redacts an input in two passes: the first learns which values are secret, the second takes them out wherever they stand, before the place
 * that gave them away too. Of what is piped in and longer than what is held, the first pass sees the beginning only.
 */
export async function redactInput(input: Input, options: RedactionOptions, { write, progress }: RedactTo): Promise<Redacted> {
  let seen = 0;
  const count = (bytes: number) => {
    seen += bytes;
    progress?.(seen);
  };
  const first = createRedactor(options);
  await pass(first, input.ahead(), undefined, count);
  const learned = first.learned();
  if (input.held && write && !first.report().total) {
    // Nothing to take out: the input is the output.
    for await (const chunk of input.all()) await write(chunk);
    return described(first);
  }
  if (input.whole && !write && !learned.length) return described(first);
  const second = createRedactor(withLearned(options, learned));
  await pass(second, input.all(), write, count);
  return described(second);
}

const withLearned = (options: RedactionOptions, learned: readonly KnownValue[]): RedactionOptions => ({
  ...options,
  known: [...(options.known ?? []), ...learned],
});

async function pass(redactor: Redactor, input: AsyncIterable<Buffer>, write: RedactTo['write'], count: (bytes: number) => void): Promise<void> {
  const stream = redactStream(redactor);
  let pending: Buffer[] = [];
  let size = 0;
  const give = async (made: Buffer[], atLeast: number): Promise<void> => {
    if (!write) return;
    for (const bytes of made) {
      pending.push(bytes);
      size += bytes.length;
    }
    if (size < atLeast) return;
    await write(Buffer.concat(pending, size));
    pending = [];
    size = 0;
  };
  for await (const chunk of input) {
    await give(stream.push(chunk), WRITTEN_AT_ONCE);
    count(chunk.length);
  }
  await give(stream.end(), 1);
}

function described({ id, report }: Redactor): Redacted {
  const at = id.indexOf('-');
  return { engine: id.slice(0, at), rules: id.slice(at + 1), ...report() };
}
