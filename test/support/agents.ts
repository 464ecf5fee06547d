import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { parseEvent, type QueuedEvent, waiting } from '#hooks/queue.ts';
import type { Resumed } from './claude-client.ts';
import { client } from './clients.ts';
import { standIn } from './hooked.ts';
import { type Lab, lab, type Person, RELAY } from './lab.ts';

/** Puts relay, and the real Codex where it is installed, on a person's PATH, as an installation would. Answers that PATH. */
function onPath(lab: Lab, person: Person): string {
  const bin = join(lab.root, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'relay'), `#!/bin/sh\nexec "${process.execPath}" "${RELAY}" "$@"\n`, { mode: 0o755 });
  const codex = client('codex');
  if (codex) symlinkSync(codex, join(bin, 'codex'));
  person.env.PATH = `${bin}:${person.env.PATH}`;
  return person.env.PATH;
}

/** Asks again until the answer is there, for what a detached worker does in its own time; the last answer. */
export async function eventually<T>(ask: () => Promise<T>, isThere: (answer: T) => boolean, ms = 15_000): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const answer = await ask();
    if (isThere(answer) || Date.now() > end) return answer;
    await sleep(200);
  }
}

/** A person with relay on her PATH, and repositories in which agents work. */
export interface World {
  lab: Lab;
  ann: Person;
  /** her PATH with relay on it */
  path: string;
  /** a new repository with git's hooks in it; `held`: what is queued there stays, since a worker seems to be at work */
  shop(held?: boolean): Promise<string>;
  queued(shop: string): Promise<QueuedEvent[]>;
  done(): Promise<void>;
}

export function world(): World {
  const made = lab('relay-agent-hooks-');
  const ann = made.person('ann');
  const path = onPath(made, ann);
  const worker = standIn();
  let shops = 0;
  return {
    lab: made,
    ann,
    path,
    async shop(held = true) {
      const name = `shop-${++shops}`;
      const cwd = made.project(ann, name, made.bare(name));
      if (held) worker.beIn(join(cwd, '.git'));
      await made.relay(ann, cwd, 'hooks', 'install');
      return cwd;
    },
    queued: (shop) => waiting([join(shop, '.git/relay/queue')], Date.now()),
    async done() {
      worker.stop();
      // A worker may still write to her home.
      const removed = async () => {
        try {
          made.done();
          return true;
        } catch {
          return false;
        }
      };
      await eventually(removed, Boolean);
    },
  };
}

/** The event of that name in the queue, which must name this session and the file that the client keeps it in. */
export function expectEvent(events: readonly QueuedEvent[], name: string, agent: string, session: string | undefined, cwd: string): void {
  const event = events.find((one) => one.event === name);
  expect(event).toMatchObject({ cwd, sessions: [{ agent, session }] });
  const path = event?.sessions[0]?.path ?? '';
  expect(path).toContain(session);
  expect(existsSync(path)).toBe(true);
}

/** Makes a commit and keeps what git's hook queued for it, before a worker can have taken it. */
export const COMMIT = 'git commit -q --allow-empty -m Change && cp .git/relay/queue/post-commit-* queued';

/** The commit's event must name the commit, and that session as the one that made it. */
export function expectCommit(w: World, shop: string, agent: string, turn: Resumed): void {
  const event = parseEvent('queued', readFileSync(join(shop, 'queued')), 0);
  expect(event).toMatchObject({ commit: w.lab.git(w.ann, shop, 'rev-parse', 'HEAD'), sessions: [{ agent, session: turn.session }] });
}

/** The handoff that a worker makes of a session in its own time, once it holds this text. */
export const shown = (w: World, shop: string, session: string | undefined, text: string): Promise<string> =>
  eventually(
    async () => (await w.lab.relay(w.ann, shop, 'show', session ?? '')).stdout,
    (told) => told.includes(text),
  );

/** Sessions that relay finds behind a commit, by default the newest one, once a worker has recorded it: `<agent>:<session>`, the innermost first. */
export async function behindHead(w: World, shop: string, wanted = 1, rev = 'HEAD'): Promise<string[]> {
  const { handoffs } = await eventually(
    () => w.lab.json<{ handoffs: { agent: string; session: string }[] }>(w.ann, shop, 'log', rev),
    (told) => told.handoffs.length >= wanted,
  );
  return handoffs.map(({ agent, session }) => `${agent}:${session}`);
}
