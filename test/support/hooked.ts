import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseEvent, type QueuedEvent } from '#hooks/queue.ts';

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
