import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isRunning } from './processes.ts';

const run = promisify(execFile);

/**
 * The real clients that tests run, at pinned versions. They lie in a cache of their own (about 800 MB for the two
 * newest), never among the project's dependencies; `npx tsx scripts/clients.ts` fills it.
 */
const packages = {
  'claude-code': { npm: '@anthropic-ai/claude-code', version: '2.1.332' },
  codex: { npm: '@openai/codex', version: '0.171.0' },
  'claude-code-old': { npm: '@anthropic-ai/claude-code', version: '2.1.200' },
  'codex-old': { npm: '@openai/codex', version: '0.120.0' },
} as const;

export type Client = keyof typeof packages;
export const clientNames = Object.keys(packages) as Client[];

/** Where a client is, or would be, installed. `spec` is what npm installs; `folder` its own prefix. */
export function clientPlace(name: Client): { spec: string; version: string; folder: string } {
  const { npm, version } = packages[name];
  const cache = process.env.RELAY_TEST_CLIENTS ?? join(homedir(), '.cache', 'relay-test-clients');
  return { spec: `${npm}@${version}`, version, folder: join(cache, `${name.replace('-old', '')}-${version}`) };
}

/**
 * Path of the client's program, or undefined where it is not installed. It is the platform's own binary, not the wrapper
 * that npm links: that one is a Node.js script which leaves the binary running when it is killed.
 */
export function client(name: Client): string | undefined {
  const { folder } = clientPlace(name);
  const { npm } = packages[name];
  const [scope, base] = npm.split('/') as [string, string];
  const platforms = inside(join(folder, 'node_modules', scope)).filter((path) => path.includes(`/${base}-`));
  const programs = platforms.flatMap((dir) => [
    join(dir, 'claude'),
    ...inside(join(dir, 'vendor')).flatMap((triple) => [join(triple, 'bin', 'codex'), join(triple, 'codex', 'codex')]),
  ]);
  return programs.find((path) => existsSync(path));
}

const inside = (dir: string): string[] => (existsSync(dir) ? readdirSync(dir).map((name) => join(dir, name)) : []);

/**
 * Installs a client into the cache unless it is there. A half-done install never takes the final name, and of two
 * processes that want the same client one waits for the other.
 * @returns the path of its program
 */
export async function installClient(name: Client): Promise<string> {
  const { spec, folder } = clientPlace(name);
  const there = client(name);
  if (there) return there;
  mkdirSync(folder, { recursive: true });
  return locked(`${folder}.lock`, async () => {
    const work = `${folder}.${process.pid}`;
    if (!client(name)) {
      mkdirSync(work, { recursive: true });
      writeFileSync(join(work, 'package.json'), '{"private":true}\n');
      // The clients' own install scripts only link the platform's binary.
      await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error', spec], { cwd: work, maxBuffer: 16 << 20 });
      rmSync(folder, { recursive: true, force: true });
      renameSync(work, folder);
    }
    const program = client(name);
    if (!program) throw new Error(`${spec} was installed, but holds no program for ${process.platform} ${process.arch}`);
    return program;
  });
}

/** Does `work` while no other process does. A lock whose owner is gone is taken over. */
async function locked<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!take(path)) await sleep(200);
  try {
    return await work();
  } finally {
    rmSync(path, { force: true });
  }
}

function take(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    // Empty: it was made this very moment, and its owner has not written yet.
    const owner = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
    if (owner > 0 && !isRunning(owner)) rmSync(path, { force: true });
    return false;
  }
}
