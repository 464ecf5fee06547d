import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { writeLines } from '../test/support/generate.ts';
import { recorded } from '../test/support/recorded.ts';
import { transcript } from '../test/support/transcript.ts';
import type { Row } from './row.ts';

const PROJECT = '/home/dev/src/ledger';

const BYTES = 100e6;
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

/** A program of this folder as users run relay: bundled. */
function bundle(folder: string, name: string): string {
  const program = join(folder, `${name}.mjs`);
  buildSync({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    outfile: program,
    bundle: true,
    format: 'esm',
    platform: 'node',
    mainFields: ['module', 'main'],
    banner: { js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);" },
  });
  return program;
}

const run = (program: string, ...args: string[]): string => execFileSync(process.execPath, [program, ...args], { encoding: 'utf8' });

/** Redaction of a file beside one pass of parsing over it, its peak memory, and gitleaks beside it. */
function figures(folder: string, what: string, path: string, say: (remark: string) => void): Row[] {
  const timed = bundle(folder, 'redaction-timed');
  const besideParsing = (known: number): Row => {
    const { floor, value } = JSON.parse(run(timed, path, String(known))) as { floor: number; value: number };
    return { what: `${what}, ${known} known`, value, beside: floor, most: 3 };
  };
  const rows = [besideParsing(40), besideParsing(500)];
  const peak = Number(run(bundle(folder, 'redaction-pass'), path, join(folder, 'out.jsonl')));
  rows.push({ what: `${what}, peak memory`, value: peak, unit: 'MB', most: 300 });
  const other = gitleaks(path);
  if (other === undefined) say('gitleaks is neither on the PATH nor at $GITLEAKS, so it is not compared with');
  else rows.push({ what: `${what}, gitleaks`, value: other, beside: (rows[0] as Row).value, least: 40 });
  return rows;
}

/**
 * Redaction with all that a push looks for: of 100 MB of recorded sessions, and of 100 MB in which no two texts are alike and every line is full
 * of code, paths and names. A secret stands in every 50 kB of either.
 * @param files transcripts (JSON lines) to take in their place
 */
export async function redaction(say: (remark: string) => void, files: readonly string[]): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'relay-bench-'));
  const made = (name: string, lines: Iterable<string>): [string, string] => {
    const path = join(folder, `${name}.jsonl`);
    writeLines(path, lines);
    return [`100 MB ${name}`, path];
  };
  const shape = { seed: 'bench', bytes: BYTES, secretEvery: 50_000 };
  try {
    const inputs = files.length
      ? files.map((path) => [basename(path), path] as [string, string])
      : [made('recorded', recorded(shape)), made('dense', transcript({ ...shape, project: PROJECT }))];
    return inputs.flatMap(([what, path]) => figures(folder, what, path, say));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
