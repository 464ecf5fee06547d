import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

/**
 * Runs the bundle of the worker with the code that was compiled for it before: compiling takes longer than recording what an agent's turn has added. Node
 * checks that the code is that of this source and this Node. It is kept in the user's own state; where it cannot be, it is compiled each time.
 */
export function startWorker(env: Record<string, string | undefined>): void {
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
  const name = createHash('sha256').update(`${file} ${size} ${mtimeMs} ${process.version} ${process.arch}`).digest('hex').slice(0, 16);
  return join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'relay', 'compiled', name);
}

function read(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/** One is enough: what was kept for an earlier relay goes. */
function keep(path: string, data: Buffer): void {
  const folder = dirname(path);
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(`${path}.${process.pid}`, data, { mode: 0o600 });
    renameSync(`${path}.${process.pid}`, path);
  } catch {
    // A home that cannot be written to: it is compiled again next time.
  }
}
