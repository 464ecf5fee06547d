import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../../support/generate.ts';
import { objectsText } from '../../support/git-text.ts';
import { grow, growTurns } from '../../support/grow.ts';
import { RELAY } from '../../support/lab.ts';
import { runProgram } from '../../support/processes.ts';
import { queued, waitingIn } from '../../support/queue.ts';
import { say } from '../../support/say.ts';
import { inWorld, nameOf, type Prove, type PushJson, type World } from '../world.ts';

const GROWTH = 400_000;
/** Bytes of a session that may be read beside the new ones. */
const BESIDE = 64 * 1024;
const POINTS = 20;

const worker = (w: World) => runProgram(process.execPath, [RELAY, 'hook', '--work'], { cwd: w.annProject, env: w.ann.env, timeout: 120_000 });
const tell = (w: World): string => queued(w.annProject, w.session);

/** A worker records what the end of a turn has added: all of it, nothing else is read, and nothing is lost wherever it is killed. */
export const prove: Prove = (input, prover) =>
  inWorld(input, prover, async (w) => {
    tell(w);
    await worker(w);
    const versions = async (): Promise<number> => (await w.json<{ versions: unknown[] }>(w.ann, w.annProject, 'log', w.session.id)).versions.length;
    prover.check((await versions()) === 1 && waitingIn(w.annProject).length === 0, 'the first event is recorded and gone from the queue');
    await readsOnlyTheNew(w, prover);
    await worker(w);
    const before = await versions();
    tell(w);
    await worker(w);
    prover.check((await versions()) === before, 'an event after which nothing is new makes no version');
    await seesEdits(w, prover);
    await killed(w, prover);
    await atOnce(w, prover);
  });

/** What is stored beside what the agent wrote, in lines of the main file. */
async function storesAll(w: World): Promise<{ stored: number; lines: number }> {
  const { records } = await w.json<{ records: { stream: string }[] }>(w.ann, w.annProject, 'show', w.session.id);
  return { stored: records.filter(({ stream }) => stream === 'main').length, lines: readFileSync(w.session.path, 'utf8').trimEnd().split('\n').length };
}

async function readsOnlyTheNew(w: World, prover: Parameters<Prove>[1]): Promise<void> {
  grow(w.session, 3_000_000, 0);
  tell(w);
  await worker(w);
  if (spawnSync('strace', ['-V']).error) return prover.check(false, 'strace is there to watch what is read', 'apt-get install strace');
  const size = statSync(w.session.path).size;
  grow(w.session, GROWTH, 1);
  const added = statSync(w.session.path).size - size;
  tell(w);
  const trace = join(w.root, 'trace');
  const watched = ['-f', '-ff', '-qq', '-y', '-e', 'trace=read,pread64,readv,preadv,preadv2', '-e', 'signal=none', '-s', '0', '-o', trace];
  await runProgram('strace', [...watched, process.execPath, RELAY, 'hook', '--work'], { cwd: w.annProject, env: w.ann.env, timeout: 240_000 });
  let read = 0;
  for (const name of readdirSync(w.root).filter((one) => one.startsWith('trace.'))) {
    for (const line of readFileSync(join(w.root, name), 'utf8').split('\n'))
      if (line.includes(`<${w.session.path}>`)) read += Number(/= (\d+)$/.exec(line)?.[1] ?? 0);
    rmSync(join(w.root, name));
  }
  prover.check(read >= added && read <= added + BESIDE, `of ${size + added} bytes, ${added} of them new, ${read} were read (at most ${added + BESIDE})`);
}

/** What was recorded without a second look is looked at before it is sent. */
async function seesEdits(w: World, prover: Parameters<Prove>[1]): Promise<void> {
  const [old, now] = ['withdrawn-once-and-for-all', 'written-in-its-place-today'];
  say(w.session, `the first word on it is ${old}`);
  growTurns(w.session, 8, 2);
  tell(w);
  await worker(w);
  // In place: the same file, the same size.
  writeFileSync(w.session.path, readFileSync(w.session.path, 'utf8').replace(old, now), { flag: 'r+' });
  growTurns(w.session, 1, 3);
  tell(w);
  await worker(w);
  await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  const sent = objectsText(w.remote);
  prover.check(sent.includes(now) && !sent.includes(old), 'an edit in place that no snapshot has seen is seen before the first sending');
}

async function killed(w: World, prover: Parameters<Prove>[1]): Promise<void> {
  const random = seeded(`capture ${w.session.id}`);
  growTurns(w.session, 4, 4);
  tell(w);
  const began = performance.now();
  await worker(w);
  const whole = performance.now() - began;
  let count = 0;
  for (let point = 0; point < POINTS; point++) {
    growTurns(w.session, 4, 10 + point);
    tell(w);
    if (await killAfter(w, random() * whole)) count++;
  }
  await worker(w);
  const { stored, lines } = await storesAll(w);
  prover.check(
    stored === lines && waitingIn(w.annProject).length === 0,
    `after ${count} of ${POINTS} workers were killed the next one has recorded all: ${stored} of ${lines} lines`,
  );
  prover.check(await isSound(w), 'git fsck of the store is clean');
}

function killAfter(w: World, ms: number): Promise<boolean> {
  const child: ChildProcess = spawn(process.execPath, [RELAY, 'hook', '--work'], { cwd: w.annProject, env: w.ann.env, stdio: 'ignore', detached: true });
  const timer = setTimeout(() => {
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // It has ended.
    }
  }, ms);
  return new Promise((done) =>
    child.on('close', (_, signal) => {
      clearTimeout(timer);
      done(signal === 'SIGKILL');
    }),
  );
}

async function isSound(w: World): Promise<boolean> {
  return (await runProgram('git', ['fsck', '--strict'], { cwd: join(w.annProject, '.git/relay/store.git'), env: w.ann.env })).code === 0;
}

/** Two work trees, each with a worker, at the same time. */
async function atOnce(w: World, prover: Parameters<Prove>[1]): Promise<void> {
  w.git(w.ann, w.annProject, 'worktree', 'add', '-q', join(w.root, 'ann/linked'), '-b', 'linked');
  const inLinked = () => runProgram(process.execPath, [RELAY, 'hook', '--work'], { cwd: join(w.root, 'ann/linked'), env: w.ann.env, timeout: 120_000 });
  for (let round = 0; round < 5; round++) {
    growTurns(w.session, 2, 100 + round);
    tell(w);
    await Promise.all([worker(w), inLinked(), worker(w)]);
  }
  const { stored, lines } = await storesAll(w);
  prover.check(stored === lines && waitingIn(w.annProject).length === 0, `workers of two work trees at once record all: ${stored} of ${lines} lines`);
  prover.check(await isSound(w), 'and leave the store sound');
}
