import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { writeLines } from '../test/support/generate.ts';
import { transcript } from '../test/support/transcript.ts';
import { PROJECT } from './redaction-work.ts';
import type { Row } from './row.ts';

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

/** Redaction of the file beside one pass of parsing over it. */
function besideParsing(program: string, path: string, known: number): Row {
  const { floor, value } = JSON.parse(run(program, path, String(known))) as { floor: number; value: number };
  return { what: `100 MB, ${known} known values`, value, beside: floor, most: 3 };
}

/** Redaction of a long transcript with all that a push looks for. */
export async function redaction(say: (remark: string) => void): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'relay-bench-'));
  try {
    const path = join(folder, 'transcript.jsonl');
    writeLines(path, transcript({ seed: 'bench', bytes: BYTES, project: PROJECT, secretEvery: 20_000 }));
    const timed = bundle(folder, 'redaction-timed');
    const rows = [besideParsing(timed, path, 40), besideParsing(timed, path, 500)];
    const peak = Number(run(bundle(folder, 'redaction-pass'), path, join(folder, 'out.jsonl')));
    rows.push({ what: '100 MB, peak memory', value: peak, unit: 'MB', most: 300 });
    const other = gitleaks(path);
    if (other === undefined) say('gitleaks is neither on the PATH nor at $GITLEAKS, so it is not compared with');
    else rows.push({ what: '100 MB, gitleaks beside it', value: other, beside: (rows[0] as Row).value, least: 40 });
    return rows;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
