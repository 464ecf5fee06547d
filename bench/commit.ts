import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { claudeTurns, writeLines } from '../test/support/generate.ts';
import { type Lab, lab, type Person, RELAY } from '../test/support/lab.ts';
import { dashed } from '../test/support/layout.ts';
import { isRunning } from '../test/support/processes.ts';
import { median, type Row, timed } from './row.ts';

const COMMITS = 40;
const REFS = 5000;
const SESSIONS = 200;
/** What git's hooks may add to a commit, in ms, and how many times as long a rebase may take. */
const MOST_MORE = 5;
const MOST_TIMES = 3;

const WITHOUT = ['-c', 'core.hooksPath=/dev/null'];

/**
 * `git commit` and `git rebase` with relay's hooks beside the same without, in turns, so that whatever else the machine does meets both alike. In a
 * repository of 5,000 refs with 200 recorded sessions; the hooks start the real worker.
 */
export async function commits(): Promise<Row[]> {
  const w = lab('relay-bench-');
  try {
    const ann = w.person('ann');
    const project = w.project(ann, 'ann/proj', w.bare('team'));
    manyRefs(w, ann, project);
    record(ann, project);
    const relay = (...args: string[]): void => void execFileSync(process.execPath, [RELAY, ...args], { cwd: project, env: ann.env, stdio: 'ignore' });
    relay('hooks', 'install');
    const git = (args: string[]): Promise<number> => timed(() => execFileSync('git', args, { cwd: project, env: ann.env, stdio: 'ignore' }));
    const rows = [await committing(project, git), await rebasing(git)];
    relay('hooks', 'uninstall');
    await workerEnds(join(project, '.git/relay/queue/.worker'));
    return rows;
  } finally {
    w.done();
  }
}

/** The worker goes on for a while, and its folder is about to be removed. */
async function workerEnds(file: string): Promise<void> {
  const runs = (): boolean => existsSync(file) && isRunning(Number(readFileSync(file, 'utf8')));
  for (let tries = 0; tries < 300 && runs(); tries++) await sleep(100);
}

async function committing(project: string, git: (args: string[]) => Promise<number>): Promise<Row> {
  const times: Record<'bare' | 'hooked', number[]> = { bare: [], hooked: [] };
  for (let n = 0; n < 2 * COMMITS; n++) {
    writeFileSync(join(project, 'README.md'), `${n}\n`);
    const hooked = n % 2 === 1;
    times[hooked ? 'hooked' : 'bare'].push(await git([...(hooked ? [] : WITHOUT), 'commit', '-q', '-a', '-m', `Change ${n}`]));
  }
  const [bare, hooked] = [median(times.bare), median(times.hooked)];
  return { what: `${COMMITS} commits, median`, value: hooked, beside: bare, more: MOST_MORE };
}

async function rebasing(git: (args: string[]) => Promise<number>): Promise<Row> {
  const rebase = ['rebase', '-q', '--force-rebase', `HEAD~${COMMITS}`];
  const times: Record<'bare' | 'hooked', number[]> = { bare: [], hooked: [] };
  for (let n = 0; n < 5; n++) {
    times.bare.push(await git([...WITHOUT, ...rebase]));
    times.hooked.push(await git(rebase));
  }
  return { what: `rebase of ${COMMITS}, median`, value: median(times.hooked), beside: median(times.bare), most: MOST_TIMES };
}

function manyRefs(w: Lab, ann: Person, project: string): void {
  const head = w.git(ann, project, 'rev-parse', 'HEAD');
  const input = Array.from({ length: REFS }, (_, n) => `create refs/heads/many/${n} ${head}\n`).join('');
  execFileSync('git', ['update-ref', '--stdin'], { cwd: project, env: ann.env, input });
  w.git(ann, project, 'pack-refs', '--all');
}

/** Sessions that relay has recorded already. */
function record(ann: Person, project: string): void {
  const names = Array.from({ length: SESSIONS }, (_, n) => `aaaaaaaa-0000-4000-8000-${n.toString(16).padStart(12, '0')}`);
  for (const sessionId of names) {
    const path = join(ann.home, '.claude/projects', dashed(project), `${sessionId}.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
    writeLines(path, claudeTurns({ sessionId, cwd: project, turns: 2, resultSize: 500 }));
  }
  execFileSync(process.execPath, [RELAY, 'push', '--all', '--no-send', '--yes'], { cwd: project, env: ann.env, stdio: 'ignore' });
}
