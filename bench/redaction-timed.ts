import { readFileSync } from 'node:fs';
import { stream } from './redaction-work.ts';

/** Both works take turns on pieces of this size, so that whatever else the machine does meets both alike. */
const PIECE = 1e6;

/** One pass of parsing over lines of JSON, from a buffer to a buffer. */
function parsed(bytes: Buffer): Buffer {
  const out: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
    out.push(Buffer.from(`${JSON.stringify(JSON.parse(bytes.toString('utf8', from, at)))}\n`, 'utf8'));
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
const redaction = stream(Number(known));
for (const piece of pieces(bytes)) {
  timed('floor', () => parsed(piece));
  timed('value', () => Buffer.concat(redaction.push(piece)));
}
timed('value', () => Buffer.concat(redaction.end()));
process.stdout.write(JSON.stringify(time));
