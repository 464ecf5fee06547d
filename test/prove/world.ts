import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { layOut } from '../support/fixtures.ts';
import { type Lab, lab, type Person } from '../support/lab.ts';
import type { Agent, LaidOut } from '../support/layout.ts';

export interface Input {
  agent: Agent;
  /** the session's main file */
  path: string;
}

export interface Prover {
  /** agent to import into */
  to: Agent;
  /** one verdict */
  check(ok: boolean, what: string, detail?: string): void;
  /** a verdict about time, which only a machine that does nothing else can give: the tests leave it out */
  timed(ok: boolean, what: string): void;
  /** a figure or remark */
  note(text: string): void;
  keep: boolean;
}

/** One case: plays it on any session and gives its verdicts. */
export type Prove = (input: Input, prover: Prover) => Promise<void>;

/** A case that takes files or folders which are no sessions. */
export type ProvePaths = (paths: string[], prover: Prover) => Promise<void>;

/** A case that makes its own input; the same for the same seed. */
export type ProveAlone = (seed: string, prover: Prover) => Promise<void>;

/** Ann has recorded the session in her checkout; Bob has another checkout of the same project, at another path, with another HOME. */
export interface World extends Lab {
  ann: Person;
  bob: Person;
  remote: string;
  annProject: string;
  bobProject: string;
  session: LaidOut;
}

/** Sets the world up with the session at Ann's. Files that `files` names are committed in the project. */
export function world(input: Input, options: { files?: Record<string, string>; format?: string } = {}): World {
  const made = lab();
  const [ann, bob] = [made.person('ann'), made.person('bob')];
  const remote = made.bare('team', options.format);
  const annProject = made.project(ann, 'ann/proj', remote, { 'README.md': '# project\n', ...options.files });
  const bobProject = made.clone(bob, 'bob/work/checkout of proj', remote);
  const session = layOut(input.agent, input.path, ann.home, annProject);
  return { ...made, ann, bob, remote, annProject, bobProject, session };
}

/** Runs a case in a world of its own and cleans up. */
export async function inWorld(input: Input, prover: Prover, body: (w: World) => Promise<void>, options: Parameters<typeof world>[1] = {}): Promise<void> {
  const w = world(input, options);
  try {
    await body(w);
  } finally {
    if (prover.keep) prover.note(`kept: ${w.root}`);
    else w.done();
  }
}

/** Writes a file and the folders above it. */
export function writeFileAt(path: string, text: string | Buffer): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return join(realpathSync(dirname(path)), path.slice(path.lastIndexOf('/') + 1));
}

export interface PushJson {
  handoffs: {
    handoff: string;
    version: number;
    commit: string;
    records: number;
    bytes: number;
    title: string;
    redactions: { total: number; byKind: Record<string, number> };
    uncommitted: string[];
  }[];
  sent: boolean;
  remote: string | null;
  sentBytes?: number;
}

export interface ImportJson {
  agent: Agent;
  session: string;
  path: string;
  title: string;
  resume: { command: string; args: string[]; cwd: string };
  view: { tokens: number; items: number; bytes: number };
  loss: { record: number | null; stream?: string; kind: string; action: string; reason: string }[];
  drift: { path: string; state: string; to?: string }[];
}

/** The session's name as relay takes it. */
export const nameOf = (session: LaidOut): string => `${session.agent}:${session.id}`;
