import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseEvent, type QueuedEvent } from '#hooks/queue.ts';
import { type Lab, lab, type Person } from './lab.ts';
import type { Ended } from './processes.ts';

/**
 * A process that looks like a worker at work, so that hooks start none and what they queue stays where it is. Not the real worker: that one would
 * take it away.
 */
export function standIn(): { beIn(commonDir: string): void; stop(): void } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', 'hook', '--work'], { stdio: 'ignore' });
  return {
    beIn(commonDir) {
      mkdirSync(join(commonDir, 'relay/queue'), { recursive: true });
      writeFileSync(join(commonDir, 'relay/queue/.worker'), `${child.pid}\n`);
    },
    stop: () => child.kill(),
  };
}

/** The events in the queue, in order of their files' times; they are taken out. A file that is not complete is an error. */
export function takeQueued(commonDir: string): QueuedEvent[] {
  const queue = join(commonDir, 'relay/queue');
  const files = readdirSync(queue).filter((name) => !name.startsWith('.'));
  const events = files.map((name) => {
    const path = join(queue, name);
    const event = parseEvent(name, readFileSync(path), lstatSync(path).mtimeMs);
    if (!event) throw new Error(`${name} is not complete: ${readFileSync(path, 'latin1')}`);
    rmSync(path);
    return event;
  });
  return events.sort((a, b) => a.at - b.at);
}

/** Every file below a folder: permissions, the time of those whose path is like `times`, and what it holds or leads to. Objects, refs, logs, modules and relay's own are left out. */
export function filesOf(folder: string, times = /^$/): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (at: string): void => {
    for (const name of readdirSync(at).sort()) {
      const path = join(at, name);
      const inside = relative(folder, path);
      if (/(?:^|\/)(?:node_modules|\.log|\.git\/(?:objects|refs|packed-refs|logs|relay|lfs|index|COMMIT_EDITMSG|ORIG_HEAD|HEAD|info))$/.test(inside)) continue;
      const stat = lstatSync(path);
      if (stat.isDirectory()) walk(path);
      else {
        const what = stat.isSymbolicLink() ? `-> ${readlinkSync(path)}` : createHash('sha256').update(readFileSync(path)).digest('hex');
        found[inside] = `${(stat.mode & 0o7777).toString(8)} ${what}${times.test(inside) ? ` ${Math.round(stat.mtimeMs)}` : ''}`;
      }
    }
  };
  walk(folder);
  return found;
}

/** Where a hook of git's lies. */
export const hookFile = (top: string, event: string): string => join(top, '.git/hooks', event);

/** Writes a file that can be run, or with other permissions. */
export function writeScript(path: string, text: string, mode = 0o755): void {
  writeFileSync(path, text);
  chmodSync(path, mode);
}

/** What `relay hooks status --json` says of git's hooks. */
export interface HooksState {
  installed: boolean;
  shim: string;
  waiting: number;
  hooks: { event: string; path: string; state: string }[];
}

/** A lab whose projects have relay's hooks and a stand-in for the worker. */
export interface HookedLab extends Lab {
  ann: Person;
  worker: ReturnType<typeof standIn>;
  /** a project without hooks yet */
  fresh(name?: string): string;
  /** relay hooks … */
  hooks(top: string, ...args: string[]): Promise<Ended>;
  /** relay hooks install, which must succeed without a word on stderr */
  install(top: string, ...options: string[]): Promise<void>;
  state(top: string): Promise<HooksState>;
  /** a project with its hooks installed; the options of `relay hooks install` */
  hooked(name: string, ...options: string[]): Promise<{ top: string; git: string }>;
  /** Commits as somebody would, and holds the hook to its silence. Answers the new commit. */
  commit(top: string, env?: Record<string, string>, ...args: string[]): string;
  /** Puts another program in the place of relay's, which the shim starts. */
  probe(git: string, name: string, source: string): void;
}

export function hookedLab(): HookedLab {
  const w = lab('relay-hooks-');
  const ann = w.person('ann');
  const worker = standIn();
  let count = 0;
  const fresh = (name = `p${count}`): string => w.project(ann, name, w.bare(`remote-${count++}`));
  const hooks = (top: string, ...args: string[]): Promise<Ended> => w.relay(ann, top, 'hooks', ...args);
  const install = async (top: string, ...options: string[]): Promise<void> => {
    const { code, stderr } = await hooks(top, 'install', ...options);
    if (code !== 0 || stderr) throw new Error(`relay hooks install ended with ${code}: ${stderr}`);
  };
  return {
    ...w,
    ann,
    worker,
    fresh,
    hooks,
    install,
    state: async (top) => (await w.json<{ git: HooksState }>(ann, top, 'hooks', 'status')).git,
    async hooked(name, ...options) {
      const top = fresh(name);
      await install(top, ...options);
      worker.beIn(join(top, '.git'));
      return { top, git: join(top, '.git') };
    },
    commit(top, env = {}, ...args) {
      writeFileSync(join(top, `file-${count++}`), `${count}\n`);
      execFileSync('git', ['add', '.'], { cwd: top, env: ann.env });
      const ended = spawnSync('git', ['commit', '-q', '-m', `Change ${count}`, ...args], { cwd: top, env: { ...ann.env, ...env }, encoding: 'utf8' });
      if (ended.status !== 0 || ended.stdout || ended.stderr) throw new Error(`git commit ended with ${ended.status}: ${ended.stdout}${ended.stderr}`);
      return w.git(ann, top, 'rev-parse', 'HEAD');
    },
    probe(git, name, source) {
      const program = join(w.root, `${name}.mjs`);
      writeFileSync(program, source);
      const shim = join(git, 'hooks/relay.sh');
      writeFileSync(shim, readFileSync(shim, 'utf8').replace(/^relay=.*$/m, `relay='${program}'`));
    },
    done() {
      worker.stop();
      w.done();
    },
  };
}
