import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { claudeTurns, writeLines } from '../test/support/generate.ts';
import { grow } from '../test/support/grow.ts';
import { lab, RELAY } from '../test/support/lab.ts';
import { dashed } from '../test/support/layout.ts';
import { median, type Row } from './row.ts';

const GROWTH = 400_000;
const SNAPSHOTS = 50;
/** What a snapshot may take: so many starts of Node, and so many ms for each MB that is new. */
const [STARTS, PER_MB] = [2.5, 60];

function timed(program: string[], cwd: string, env: NodeJS.ProcessEnv): number {
  const began = performance.now();
  execFileSync(process.execPath, program, { cwd, env, stdio: 'ignore' });
  return performance.now() - began;
}

/** The worker's time for each of 50 snapshots, beside a bare start of Node. */
function series(turns: number, say: (remark: string) => void): { took: number[]; bare: number } {
  const w = lab('relay-bench-');
  try {
    const ann = w.person('ann');
    const project = w.project(ann, 'ann/proj', w.bare('team'));
    const id = 'aaaaaaaa-0000-4000-8000-000000000001';
    const path = join(ann.home, '.claude/projects', dashed(project), `${id}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeLines(path, claudeTurns({ sessionId: id, cwd: project, turns, resultSize: 16_500 }));
    const queue = join(project, '.git/relay/queue');
    mkdirSync(queue, { recursive: true });
    const bare: number[] = [];
    const took = Array.from({ length: SNAPSHOTS }, (_, n) => {
      grow({ agent: 'claude-code', id, path, cwd: project }, GROWTH, n);
      writeFileSync(join(queue, `agent-stop-${n}`), `event=agent-stop\nsession.claude-code=${id}\npath.claude-code=${path}\ncwd=${project}\0`);
      bare.push(timed(['-e', '0'], project, ann.env));
      return timed([RELAY, 'hook', '--work'], project, ann.env);
    });
    const stored = execFileSync(process.execPath, [RELAY, 'log', 'latest', '--json'], { cwd: project, env: ann.env, encoding: 'utf8' });
    const { versions } = JSON.parse(stored) as { versions: unknown[] };
    if (versions.length !== SNAPSHOTS) say(`only ${versions.length} of ${SNAPSHOTS} snapshots were stored`);
    return { took, bare: median(bare) };
  } finally {
    w.done();
  }
}

/** What a worker takes to record 400 KB more of a session, however long that is and however often it was recorded. */
export async function snapshot(say: (remark: string) => void): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [size, turns] of [
    ['20 MB', 1000],
    ['100 MB', 5000],
  ] as const) {
    const { took, bare } = series(turns, say);
    const [early, late] = [median(took.slice(1, 6)), median(took.slice(45, 50))];
    const allowed = STARTS * bare + (PER_MB * GROWTH) / 1e6;
    rows.push({ what: `400 KB more of ${size}, snapshots 2-6`, value: early, beside: allowed, most: 1 });
    rows.push({ what: `400 KB more of ${size}, 46-50 beside 2-6`, value: late, beside: early, most: 1.3 });
  }
  return rows;
}
