import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { claudeTurns, writeLines } from '../test/support/generate.ts';
import { grow } from '../test/support/grow.ts';
import { type Lab, lab, type Person, RELAY } from '../test/support/lab.ts';
import { dashed } from '../test/support/layout.ts';
import { commits } from './commit.ts';
import { redaction } from './redaction.ts';
import { beside, type Row, RUNS } from './row.ts';
import { snapshot } from './snapshot.ts';

const PASS = fileURLToPath(new URL('pass.mjs', import.meta.url));
const run = (who: Person, cwd: string, ...args: string[]): string =>
  execFileSync(process.execPath, [RELAY, ...args], { cwd, env: who.env, encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'pipe'] });
const pass = (path: string) => (): void => void execFileSync(process.execPath, [PASS, path]);
const bareNode = (): void => void execFileSync(process.execPath, ['-e', '0']);

interface Bench {
  w: Lab;
  ann: Person;
  project: string;
  /** a session of so many turns; its id ends in `n` */
  session(n: number, turns: number, resultSize: number): { agent: 'claude-code'; id: string; path: string; cwd: string };
}

async function withBench(body: (bench: Bench) => Promise<Row[]>): Promise<Row[]> {
  const w = lab('relay-bench-');
  try {
    const ann = w.person('ann');
    const project = w.project(ann, 'ann/proj', w.bare('team'));
    const session: Bench['session'] = (n, turns, resultSize) => {
      const id = `aaaaaaaa-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
      const path = join(ann.home, '.claude/projects', dashed(project), `${id}.jsonl`);
      mkdirSync(dirname(path), { recursive: true });
      writeLines(path, claudeTurns({ sessionId: id, cwd: project, turns, resultSize }));
      return { agent: 'claude-code', id, path, cwd: project };
    };
    return await body({ w, ann, project, session });
  } finally {
    w.done();
  }
}

/** 58 MB, 3,000 turns: the first push, beside one pass over the same file. */
const push = (): Promise<Row[]> =>
  withBench(async ({ ann, project, session }) => {
    const large = session(0, 3000, 16_500);
    const copies = Array.from({ length: RUNS }, (_, i) => {
      const id = large.id.replace(/.$/, String(i + 1));
      copyFileSync(large.path, large.path.replace(large.id, id));
      return id;
    });
    return [await beside('58 MB, first', pass(large.path), (n) => run(ann, project, 'push', copies[n] as string), 4)];
  });

/** The same session into each agent, without Git. */
const imports = (): Promise<Row[]> =>
  withBench(async ({ ann, project, session }) => {
    const large = session(0, 3000, 16_500);
    const rows: Row[] = [];
    for (const to of ['codex', 'claude-code'])
      rows.push(await beside(`58 MB to ${to}`, pass(large.path), () => run(ann, project, 'import', large.id, '--to', to, '--again')));
    return rows;
  });

/** 250 kB more in a session of 10 MB, beside the same in one of 250 kB: the cost goes with what is new. */
const step = (): Promise<Row[]> =>
  withBench(async ({ ann, project, session }) => {
    const [small, large] = [session(1, 2, 6000), session(2, 1600, 6000)];
    for (const s of [small, large]) run(ann, project, 'push', s.id);
    let n = 0;
    const more = (s: typeof small) => (): void => {
      grow(s, 250_000, n++);
      run(ann, project, 'push', s.id);
    };
    return [await beside('250 kB more of 10 MB', more(small), more(large))];
  });

/** 1,000 sessions of one project. */
const sessions = (): Promise<Row[]> =>
  withBench(async ({ ann, project, session }) => {
    for (let n = 0; n < 1000; n++) session(n, 2, 500);
    return [await beside('list 1,000', bareNode, () => run(ann, project, 'sessions'))];
  });

/** Start-up, beside an empty Node. */
const start = async (): Promise<Row[]> => [await beside('relay --help', bareNode, () => execFileSync(process.execPath, [RELAY, '--help']))];

/** Each takes a function that says a remark and the files of the command line, and answers its figures. */
export const measurements: Record<string, (say: (remark: string) => void, files: readonly string[]) => Promise<Row[]>> = {
  push,
  import: imports,
  step,
  sessions,
  start,
  redact: redaction,
  commit: commits,
  snapshot,
};
