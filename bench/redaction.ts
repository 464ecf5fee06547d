import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { createRedactor } from '#redact/index.ts';
import { writeLines } from '../test/support/generate.ts';
import { transcript } from '../test/support/transcript.ts';
import { options, PROJECT, redactedLine } from './redaction-work.ts';
import { type Row, timed } from './row.ts';

const BYTES = 100e6;
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

async function besideParsing(bytes: Buffer, known: number): Promise<Row> {
  const redactor = createRedactor(options(known));
  let n = 0;
  let value = 0;
  let floor = 0;
  for (const piece of pieces(bytes)) {
    floor += await timed(() => treated(piece, (line) => JSON.stringify(JSON.parse(line))));
    value += await timed(() => treated(piece, (line) => redactedLine(redactor, line, n++)));
  }
  return { what: `100 MB, ${known} known values`, value, beside: floor, most: 3 };
}

/** The scanner gitleaks on the same file: from $GITLEAKS or the PATH. */
function gitleaks(path: string): number | undefined {
  const program = process.env.GITLEAKS || 'gitleaks';
  const started = performance.now();
  try {
    execFileSync(program, ['dir', path, '--no-banner', '--log-level', 'error', '--redact', '--exit-code', '0', '--max-target-megabytes', '0'], {
      stdio: 'ignore',
    });
  } catch {
    return undefined;
  }
  return performance.now() - started;
}

/** Peak memory in MB of a process that reads, redacts and writes the file as a stream. */
function peakMemory(folder: string, path: string): number {
  const program = join(folder, 'pass.mjs');
  buildSync({
    entryPoints: [fileURLToPath(new URL('redaction-pass.ts', import.meta.url))],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
  });
  return Number(execFileSync(process.execPath, [program, path, join(folder, 'out.jsonl')], { encoding: 'utf8' }));
}

/** Redaction of a long transcript with all that a push looks for. */
export async function redaction(say: (remark: string) => void): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'relay-bench-'));
  try {
    const path = join(folder, 'transcript.jsonl');
    writeLines(path, transcript({ seed: 'bench', bytes: BYTES, project: PROJECT, secretEvery: 20_000 }));
    const bytes = readFileSync(path);
    await besideParsing(bytes.subarray(0, bytes.indexOf(10, BYTES / 20) + 1), 40);
    const rows = [await besideParsing(bytes, 40), await besideParsing(bytes, 500)];
    rows.push({ what: '100 MB, peak memory', value: peakMemory(folder, path), unit: 'MB', most: 300 });
    const other = gitleaks(path);
    if (other === undefined) say('gitleaks is neither on the PATH nor at $GITLEAKS, so it is not compared with');
    else rows.push({ what: '100 MB, gitleaks beside it', value: other, beside: (rows[0] as Row).value, least: 40 });
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
