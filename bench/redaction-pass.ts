import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { stream } from './redaction-work.ts';

/** Redacts a file into another as it comes; prints the peak memory of this process in MB. */
const [from, to] = process.argv.slice(2) as [string, string];
const redaction = stream(40);
const out = createWriteStream(to);
for await (const chunk of createReadStream(from) as AsyncIterable<Buffer>) {
  for (const bytes of redaction.push(chunk)) out.write(bytes);
  if (out.writableNeedDrain) await once(out, 'drain');
}
for (const bytes of redaction.end()) out.write(bytes);
out.end();
await once(out, 'finish');
process.stdout.write(String(Math.round(process.resourceUsage().maxRSS / 1024)));
