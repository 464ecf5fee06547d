import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type CommitSessions, sessionsOfCommit } from '#flows/commit-sessions.ts';
import { workspace } from '#flows/context.ts';
import { recordCommits, recordRewrites } from '#flows/link.ts';
import type { Workspace } from '#flows/workspace.ts';
import { sessionName } from '#store/index.ts';
import type { Remote } from '#store/types.ts';
import { makePlace, type Place } from './repos.ts';
import { grow } from './sessions.ts';

/**
 * Stands in for git hooks and worker: hooks write down what happens, as the real ones do (nothing while a rebase goes on), and `drain` records it.
 * The session of a commit comes from RELAY_TEST_SESSION, `<agent>:<id>`.
 */
export function hookDriver(project: string, env: Record<string, string | undefined>) {
  const events = join(project, '.git/test-events');
  const hook = (name: string, text: string): void => {
    const path = join(project, '.git/hooks', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
  };
  hook(
    'post-commit',
    `d=$(git rev-parse --git-dir)\n[ -d "$d/rebase-merge" ] || [ -d "$d/rebase-apply" ] && exit 0\necho "commit $(git rev-parse HEAD) $RELAY_TEST_SESSION" >> '${events}'`,
  );
  hook('post-rewrite', `while read -r a b c; do echo "rewrite $a $b" >> '${events}'; done`);
  return {
    async drain(): Promise<void> {
      if (!existsSync(events)) return;
      const lines = readFileSync(events, 'utf8').trimEnd().split('\n');
      rmSync(events);
      const ws = await workspaceIn(project, env);
      const words = lines.map((line) => line.split(' ') as [string, string, string?]);
      await recordCommits(
        ws,
        words.flatMap(([what, commit, who]) => (what === 'commit' ? [{ commit, sessions: who ? [whoIs(who)] : [] }] : [])),
      );
      await recordRewrites(
        ws,
        words.flatMap(([what, from, to = '']) => (what === 'rewrite' ? [[from, to] as const] : [])),
      );
    },
  };
}

const whoIs = (name: string) => ({ agent: name.slice(0, name.indexOf(':')), session: name.slice(name.indexOf(':') + 1), how: 'variable' as const });

export const workspaceIn = (cwd: string, env: Record<string, string | undefined>): Promise<Workspace> =>
  workspace({ env, home: env.HOME ?? '', cwd, now: () => new Date(), version: '0.0.0', progress: () => {} });

/** A checkout whose sessions are in its store, without any agent. */
export interface LinkedClone {
  path: string;
  git(...args: string[]): string;
  /** writes files and commits them all, as a session (`<agent>:<id>`) or, without one, as a person; answers the commit */
  commit(message: string, files: Record<string, string>, session?: string): string;
  write(files: Record<string, string>): void;
  /** runs git with hooks as a session */
  as(session: string, ...args: string[]): string;
  drain(): Promise<void>;
  ws(): Promise<Workspace>;
  /** a version of a session; `files` as rows of files.json */
  snapshot(session: string, files?: { path: string; blob: string }[]): Promise<void>;
  send(...sessions: string[]): Promise<void>;
  pull(): Promise<void>;
  /** the sessions behind a commit, as `<id> <how>` */
  behind(rev: string): Promise<string[]>;
  found(rev: string): Promise<CommitSessions>;
}

export interface LinkedTeam {
  place: Place;
  origin: string;
  remote: Remote;
  ann: LinkedClone;
  clone(name: string, ...args: string[]): LinkedClone;
}

/** Ann's checkout with one commit at `origin`, and whoever clones it. */
export function linkedTeam(...init: string[]): LinkedTeam {
  const place = makePlace();
  const origin = place.bare('origin.git', ...init);
  const path = place.repo('ann', ...init);
  place.git(path, 'remote', 'add', 'origin', origin);
  place.git(path, 'push', '-q', '-u', 'origin', 'main');
  return {
    place,
    origin,
    remote: { name: 'origin', url: origin },
    ann: linkedClone(place, path, origin),
    clone: (name, ...args) => linkedClone(place, place.clone(origin, name, ...args), origin),
  };
}

function linkedClone(place: Place, path: string, origin: string): LinkedClone {
  const driver = hookDriver(path, place.env);
  const ws = () => workspaceIn(path, place.env);
  const remote: Remote = { name: 'origin', url: origin };
  // No editor asks for anything, and whoever commits is a person unless a session says otherwise.
  const git = (...args: string[]): string => place.git(path, '-c', 'core.editor=true', '-c', 'sequence.editor=true', ...args).trim();
  const as = (session: string, ...args: string[]): string => {
    const before = place.env.RELAY_TEST_SESSION;
    place.env.RELAY_TEST_SESSION = session;
    try {
      return git(...args);
    } finally {
      if (before === undefined) delete place.env.RELAY_TEST_SESSION;
      else place.env.RELAY_TEST_SESSION = before;
    }
  };
  const write = (files: Record<string, string>): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(path, name)), { recursive: true });
      writeFileSync(join(path, name), text);
    }
  };
  const found = async (rev: string) => sessionsOfCommit(await ws(), rev);
  return {
    path,
    git,
    as,
    write,
    commit(message, files, session = '') {
      write(files);
      git('add', '-A');
      as(session, 'commit', '-q', '-m', message);
      return git('rev-parse', 'HEAD');
    },
    drain: driver.drain,
    ws,
    async snapshot(name, files = []) {
      const [agent = '', session = ''] = name.split(':');
      const store = await (await ws()).store();
      const card = { agent, session, title: `About ${session}`, author: 'Ann', updated: new Date().toISOString() };
      const rows = files.map((file) => ({ state: 'clean', changed: true, ...file }));
      await store.append(sessionName(agent, session), grow([`{"type":"event","kind":"note","data":{"n":${Date.now()}}}`], { card, files: { files: rows } }));
    },
    async send(...names) {
      const store = await (await ws()).store();
      const writer = await store.writer();
      await store.send(remote, names.length ? names.map((name) => `${writer}/${name.replace(':', '-')}`) : undefined);
    },
    async pull() {
      await (await (await ws()).store()).fetch(remote, { days: 30 });
    },
    found,
    behind: async (rev) => (await found(rev)).handoffs.map(({ session, how }) => `${session} ${how}`),
  };
}

/** Puts the lines of a rebase's list in another order or gives them other words. */
export function editor(place: Place, name: string, script: string): string {
  const path = join(place.root, `${name}.sh`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}
