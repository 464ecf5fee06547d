// The floor every figure is compared with: read a file, split lines, parse, serialise, deflate at level 1 in chunks of 256 KB.
//   node bench/pass.mjs <file>     prints {"ms": wall time, "bytes": size, "deflated": size}
import { createReadStream } from 'node:fs';
import { deflateSync } from 'node:zlib';

const CHUNK = 256 * 1024;
const started = process.hrtime.bigint();
let bytes = 0;
let deflated = 0;
let pending = [];
let size = 0;
const flush = () => {
  deflated += deflateSync(Buffer.from(pending.join(''), 'utf8'), { level: 1 }).length;
  pending = [];
  size = 0;
};
const take = (line) => {
  const text = `${JSON.stringify(JSON.parse(line.toString('utf8')))}\n`;
  pending.push(text);
  size += text.length;
  if (size >= CHUNK) flush();
};
let rest = Buffer.alloc(0);
for await (const chunk of createReadStream(process.argv[2], { highWaterMark: CHUNK })) {
  bytes += chunk.length;
  const data = rest.length ? Buffer.concat([rest, chunk]) : chunk;
  let from = 0;
  for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, from)) {
    if (at > from) take(data.subarray(from, at));
    from = at + 1;
  }
  rest = data.subarray(from);
}
if (rest.length) take(rest);
if (size) flush();
process.stdout.write(`${JSON.stringify({ ms: Number(process.hrtime.bigint() - started) / 1e6, bytes, deflated })}\n`);
