import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { stateOf } from '#store/homes.ts';

/**
 * Runs the bundle of the worker with the code that was compiled for it before: compiling takes longer than recording what an agent's turn has added. Node
 * checks that the code is that of this source and this Node. It is kept in the user's own state; where it cannot be, it is compiled each time.
 */
export function runCompiled(env: Record<string, string | undefined>): void {
  const file = fileURLToPath(new URL('worker.cjs', import.meta.url));
  const source = readFileSync(file, 'utf8');
  const kept = compiledFor(file, env);
  const cachedData = read(kept);
  const script = new Script(Module.wrap(source), { filename: file, ...(cachedData ? { cachedData } : {}) });
  // At the end all functions that were called are compiled, too.
  if (!cachedData || script.cachedDataRejected) process.once('exit', () => keep(kept, script.createCachedData()));
  const run = script.runInThisContext() as (exports: object, require: NodeJS.Require, module: object, file: string, folder: string) => void;
  run({}, createRequire(file), {}, file, dirname(file));
}

function compiledFor(file: string, env: Record<string, string | undefined>): string {
  const { size, mtimeMs } = statSync(file);
  return join(stateOf({ env, home: homedir() }), 'compiled', digest(`${file} ${size} ${mtimeMs} ${process.version} ${process.arch}`).slice(0, NAME));
}

const NAME = 16;
const DIGEST = 64;
const digest = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

/** The data behind their digest: damaged ones would take this process down, and the next one. */
function read(path: string): Buffer | undefined {
  try {
    if (!statSync(path).isFile()) return undefined;
    const bytes = readFileSync(path);
    const data = bytes.subarray(DIGEST);
    return bytes.toString('latin1', 0, DIGEST) === digest(data) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** One is enough: what was kept for an earlier relay goes. */
function keep(path: string, data: Buffer): void {
  const folder = dirname(path);
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) if (KEPT.test(name)) rmSync(join(folder, name), { recursive: true, force: true });
    writeFileSync(temporary, Buffer.concat([Buffer.from(digest(data), 'latin1'), data]), { mode: 0o600, flush: true });
    renameSync(temporary, path);
  } catch {
    // A home that cannot be written to: it is compiled again next time.
  }
}

const KEPT = /^[0-9a-f]{16}(?:\.\d+)?$/;
