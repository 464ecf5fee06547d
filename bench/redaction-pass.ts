import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readLines } from '#lib/lines.ts';
import { createRedactor } from '#redact/index.ts';
import { options, redactedLine } from './redaction-work.ts';

/** Redacts a file of lines into another, as a stream; prints the peak memory of this process in MB. */
const [from, to] = process.argv.slice(2) as [string, string];
const redactor = createRedactor(options(40));
const out = createWriteStream(to);
let n = 0;
for await (const lines of readLines(from)) {
  for (const { bytes } of lines) out.write(`${redactedLine(redactor, bytes.toString('utf8'), n++)}\n`);
  if (out.writableNeedDrain) await once(out, 'drain');
}
out.end();
await once(out, 'finish');
process.stdout.write(String(Math.round(process.resourceUsage().maxRSS / 1024)));
