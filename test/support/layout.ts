import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export type Agent = 'claude-code' | 'codex';

/** A session as a client would find it. */
export interface LaidOut {
  agent: Agent;
  id: string;
  path: string;
  home: string;
  cwd: string;
  /** model provider that it was recorded with; its client resumes it with that one only */
  provider?: string;
  /** ids of its sub-agents' sessions */
  children?: string[];
  /** Puts the new paths in a text of the fixture, such as its recorded requests. */
  moved(text: string): string;
}

export interface Place {
  home: string;
  cwd: string;
}

/** Puts new paths for old ones, in bytes read as latin1, so that nothing else changes whatever the file holds. */
export type Mover = (latin1: string) => string;

/** Replaces a recorded working directory, its dashed form and the home above it. Only whole path components count. */
export function mover(oldCwd: string, to: Place): Mover {
  if (!oldCwd.startsWith('/')) return (text) => text;
  const oldHome = /^(\/(?:home|Users)\/[^/]+|\/root)(?=\/|$)/.exec(oldCwd)?.[1];
  const pairs = new Map([
    [oldCwd, to.cwd],
    [dashed(oldCwd), dashed(to.cwd)],
  ]);
  if (oldHome && oldHome !== oldCwd) pairs.set(oldHome, to.home);
  const bytes = new Map([...pairs].map(([from, into]) => [asLatin1(escaped(from)), asLatin1(escaped(into))]));
  const any = [...bytes.keys()].sort((a, b) => b.length - a.length).map((from) => from.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`(?:${any.join('|')})(?![A-Za-z0-9_])`, 'g');
  return (text) => text.replace(pattern, (from) => bytes.get(from) ?? from);
}

/** As a path stands in a JSON string. */
const escaped = (path: string): string => JSON.stringify(path).slice(1, -1);
export const asLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
export const asUtf8 = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('utf8');

/** Claude Code's name of a project's folder: every UTF-16 unit outside [A-Za-z0-9] becomes a dash; long ones end in a hash of the path. */
export function dashed(path: string): string {
  const flat = path.replace(/[^a-zA-Z0-9]/g, '-');
  if (flat.length <= 200) return flat;
  let hash = 0;
  for (let i = 0; i < path.length; i++) hash = ((hash << 5) - hash + path.charCodeAt(i)) | 0;
  return `${flat.slice(0, 200)}-${Math.abs(hash).toString(36)}`;
}

/** Writes a file read as latin1, private as the clients have it. */
export function put(path: string, latin1: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, Buffer.from(latin1, 'latin1'), { mode: 0o600 });
}

export const readLatin1 = (path: string): string => readFileSync(path, 'latin1');

/** All files below a folder. */
export function walk(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? walk(path) : [path]));
}
