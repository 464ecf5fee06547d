import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { createRedactor } from '../../../redact/library.ts';
import type { ProvePaths } from '../world.ts';

/** Bytes looked at, of all folders together; a larger file than this is left out. */
const [LIMIT, LARGEST] = [30_000_000, 2_000_000];
/** Findings in a megabyte of code and documents; almost all of them are mistakes there. */
const PER_MB = 1.5;

const BUILT = new URL('../../../dist/redact.js', import.meta.url).href;

/**
 * Text files of folders in which there are no secrets, or hardly any: sources, headers, documents. The built engine looks at each by itself. Every finding is listed by
 * place and fingerprint, so that somebody can look what it is.
 */
export const prove: ProvePaths = async (folders, prover) => {
  const library = (await import(BUILT)) as { createRedactor: typeof createRedactor };
  const key = createHash('sha256').update('code').digest();
  const listed: string[] = [];
  const distinct = new Set<string>();
  let bytes = 0;
  let files = 0;
  let total = 0;
  let took = 0;
  for (const folder of folders)
    for (const { path, text } of textsIn(folder, LIMIT / folders.length)) {
      const redactor = library.createRedactor({ key });
      const started = performance.now();
      redactor.text(text, path);
      took += performance.now() - started;
      const report = redactor.report();
      files++;
      bytes += Buffer.byteLength(text);
      total += report.total;
      for (const { record, path: pointer, kind, fingerprint, count } of report.findings) {
        distinct.add(`${kind}:${fingerprint}`);
        listed.push(`${record}${pointer && ` ${pointer}`} ${kind}:${fingerprint}${count > 1 ? ` (${count}×)` : ''}`);
      }
    }
  const megabytes = bytes / 1e6;
  const rate = total / Math.max(megabytes, 1);
  prover.note(
    `${files} files, ${megabytes.toFixed(1)} MB in ${(took / 1000).toFixed(1)} s (${(megabytes / (took / 1000)).toFixed(0)} MB/s); ${distinct.size} different values`,
  );
  for (const line of listed) prover.note(line);
  prover.check(bytes > 0, 'there is text to look at');
  prover.check(rate <= PER_MB, `${rate.toFixed(2)} findings a megabyte (at most ${PER_MB})`);
};

/** Text files below a folder up to a limit, in an order that has nothing to do with their names: a spread over all of it, the same each time. */
function* textsIn(folder: string, limit: number): Generator<{ path: string; text: string }> {
  const order = (path: string): string => createHash('sha256').update(relative(folder, path)).digest('hex');
  const paths = [...filesIn(folder)].map((path) => ({ path, at: order(path) })).sort((a, b) => (a.at < b.at ? -1 : 1));
  let left = limit;
  for (const { path } of paths) {
    const { size } = statSync(path);
    if (size > LARGEST || size > left) continue;
    const content = readFileSync(path);
    if (content.includes(0) || !isUtf8(content)) continue;
    left -= size;
    yield { path, text: content.toString('utf8') };
  }
}

function* filesIn(folder: string): Generator<string> {
  let entries: Dirent[] = [];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // What may not be read is not looked at.
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesIn(path);
    else if (entry.isFile()) yield path;
  }
}
