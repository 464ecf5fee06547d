import { existsSync, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Agent, LaidOut } from './layout.ts';
import { layOutClaude } from './layout-claude.ts';
import { codexHeads, layOutCodex } from './layout-codex.ts';

/** A genuine session that was recorded for the tests. */
export interface Fixture {
  agent: Agent;
  name: string;
  /** its main file */
  path: string;
  /** what reached the model when the genuine client resumed it, or while it was recorded */
  truth?: string;
}

const root = fileURLToPath(new URL('../fixtures', import.meta.url));

/** Every recorded session of an agent, in order of its name. Sub-agents' files are parts of a session and are not listed. */
export function fixtures(agent: Agent): Fixture[] {
  const folder = join(root, agent);
  if (agent === 'claude-code') {
    return subfolders(folder).map((dir) => {
      const truth = join(dir, 'resumed-messages.json');
      return { agent, name: relative(folder, dir), path: claudeMain(dir), ...(existsSync(truth) ? { truth } : {}) };
    });
  }
  return codexHeads(folder)
    .filter((head) => !head.meta.parent_thread_id)
    .map(({ path }) => {
      const truth = path.replace(/\.jsonl$/, '.requests.json');
      return { agent, name: relative(folder, path).replace(/\.jsonl$/, ''), path, ...(existsSync(truth) ? { truth } : {}) };
    });
}

const subfolders = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .map((name) => join(folder, name))
        .filter((path) => statSync(path).isDirectory() && existsSync(path) && readdirSync(path).some((name) => UUID_FILE.test(name)))
    : [];

const UUID_FILE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.jsonl$/i;

function claudeMain(folder: string): string {
  const name = readdirSync(folder).find((file) => UUID_FILE.test(file));
  if (!name) throw new Error(`no session file <uuid>.jsonl in ${folder}`);
  return join(folder, name);
}

/** The main file that a path means: the path itself, or the session in that folder. */
export function mainFile(agent: Agent, path: string): string {
  if (!statSync(path).isDirectory()) return path;
  if (agent === 'claude-code') return claudeMain(path);
  const heads = codexHeads(path).filter((head) => !head.meta.parent_thread_id);
  const head = heads.find((h) => h.meta.history_base) ?? heads[0];
  if (!head) throw new Error(`no rollout in ${path}`);
  return head.path;
}

/**
 * Lays a session out under the client's own names in `home`, as if it had been recorded there, in `cwd`: all occurrences of
 * the old working directory and home are replaced, and what lies beside the session goes where its client keeps it.
 * @param path a session file, or the folder that holds one
 */
export function layOut(agent: Agent, path: string, home: string, cwd: string): LaidOut {
  mkdirSync(cwd, { recursive: true });
  mkdirSync(home, { recursive: true });
  const to = { home: realpathSync(home), cwd: realpathSync(cwd) };
  const main = mainFile(agent, path);
  return agent === 'claude-code' ? layOutClaude(main, to) : layOutCodex(main, to);
}
