import { readFileSync } from 'node:fs';
import { createRedactor } from '#redact/index.ts';
import { options, redactedLine } from './redaction-work.ts';

/** Both works take turns on pieces of this size, so that whatever else the machine does meets both alike. */
const PIECE = 1e6;

/** One pass over lines of JSON, from a buffer to a buffer. */
function treated(bytes: Buffer, each: (line: string) => string): Buffer {
  const out: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
    out.push(Buffer.from(`${each(bytes.toString('utf8', from, at))}\n`, 'utf8'));
    from = at + 1;
  }
  return Buffer.concat(out);
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(10, Math.min(from + PIECE, bytes.length - 1)) + 1;
    yield bytes.subarray(from, end);
    from = end;
  }
}

/** Redacts a file of lines from a buffer to a buffer, beside one pass of parsing over the same; prints the milliseconds of both. */
const [path, known] = process.argv.slice(2) as [string, string];
const bytes = readFileSync(path);
const time = { floor: 0, value: 0 };
function timed(what: keyof typeof time, work: () => unknown): void {
  const started = performance.now();
  work();
  time[what] += performance.now() - started;
}
const redactor = createRedactor(options(Number(known)));
let n = 0;
for (const piece of pieces(bytes)) {
  timed('floor', () => treated(piece, (line) => JSON.stringify(JSON.parse(line))));
  timed('value', () => treated(piece, (line) => redactedLine(redactor, line, n++)));
}
process.stdout.write(JSON.stringify(time));
