import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { seeded } from '../../support/generate.ts';
import { grow, growTurns } from '../../support/grow.ts';
import { type Person, RELAY } from '../../support/lab.ts';
import { type ImportJson, inWorld, nameOf, type Prove, type PushJson, type World } from '../world.ts';

const POINTS = 20;
const BYTES = 6_000_000;

/** SIGKILL at random points of push and of import: the next command works, nothing is lost, no half file stands under a final name. */
export const prove: Prove = (input, prover) =>
  inWorld(input, prover, async (w) => {
    const random = seeded(`crash ${w.session.id}`);
    grow(w.session, BYTES, 0);
    const handoff = await killedPushes(w, prover, random);
    await killedImports(w, prover, random, handoff);
  });

async function killedPushes(w: World, prover: Parameters<Prove>[1], random: () => number): Promise<string> {
  const started = performance.now();
  await w.json(w.ann, w.annProject, 'push', nameOf(w.session), '--dry-run');
  const whole = performance.now() - started;
  const failures: string[] = [];
  let killed = 0;
  for (let point = 0; point < POINTS; point++) {
    growTurns(w.session, 40, 100 + point);
    if (await killAfter(w.ann, w.annProject, random() * whole, 'push', nameOf(w.session))) killed++;
    const next = await w.relay(w.ann, w.annProject, 'list', '--json');
    if (next.code !== 0) failures.push(`point ${point}: relay list ends with ${next.code}: ${next.stderr}`);
    if (point % 5 === 4) {
      const pushed = await w.relay(w.ann, w.annProject, 'push', nameOf(w.session), '--json');
      if (pushed.code !== 0) failures.push(`point ${point}: relay push ends with ${pushed.code}: ${pushed.stderr}`);
    }
  }
  prover.check(failures.length === 0, `after ${killed} of ${POINTS} pushes were killed, the next command works`, failures.join('\n'));
  const pushed = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
  const handoff = pushed.handoffs[0]?.handoff ?? '';
  const shown = await w.json<{ records: unknown[] }>(w.ann, w.annProject, 'show', handoff);
  const lines = readFileSync(w.session.path, 'utf8').trimEnd().split('\n').length;
  prover.check(shown.records.length >= lines, `nothing is lost: ${shown.records.length} records for ${lines} lines of the main file`);
  for (const [what, path] of [
    ['the store', join(w.annProject, '.git/relay/store.git')],
    ['the remote', w.remote],
  ] as const) {
    let complaint = '';
    try {
      w.git(w.ann, path, 'fsck', '--strict');
    } catch (error) {
      complaint = String((error as { stderr?: string }).stderr);
    }
    prover.check(complaint === '', `git fsck of ${what} is clean`, complaint);
  }
  return handoff;
}

async function killedImports(w: World, prover: Parameters<Prove>[1], random: () => number, handoff: string): Promise<void> {
  await w.json(w.bob, w.bobProject, 'pull');
  const started = performance.now();
  const whole = await w.json<ImportJson>(w.bob, w.bobProject, 'import', handoff, '--to', prover.to);
  const time = performance.now() - started;
  const size = statSync(whole.path).size;
  const halves: string[] = [];
  let killed = 0;
  for (let point = 0; point < POINTS; point++) {
    const before = new Set(sessionFiles(w.bob));
    if (await killAfter(w.bob, w.bobProject, random() * time, 'import', handoff, '--to', prover.to, '--again')) killed++;
    for (const path of sessionFiles(w.bob))
      if (!before.has(path) && Math.abs(statSync(path).size - size) > 4096) halves.push(`${path}: ${statSync(path).size} instead of about ${size} bytes`);
  }
  prover.check(halves.length === 0, `after ${killed} of ${POINTS} imports were killed, no half file stands under a final name`, halves.join('\n'));
  const again = await w.json<ImportJson>(w.bob, w.bobProject, 'import', handoff, '--to', prover.to, '--again');
  prover.check(Math.abs(statSync(again.path).size - size) <= 4096 && statSync(whole.path).size === size, 'the next import works, the earlier one is as it was');
  const rest = everyFile(w.bob.home).filter((path) => path.endsWith('.tmp'));
  prover.check(rest.length === 0, 'temporary files of killed imports are swept', rest.join('\n'));
}

/** Main files of sessions in a person's home. */
const sessionFiles = (person: Person): string[] =>
  [...everyFile(join(person.home, '.claude/projects')), ...everyFile(join(person.home, '.codex/sessions'))].filter(
    (path) => path.endsWith('.jsonl') && !path.includes('/subagents/') && statSync(path).size > 1_000_000,
  );

function everyFile(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? everyFile(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

/** Starts relay in a process group of its own and kills the whole group after `ms`. True when it was still running. */
function killAfter(person: Person, cwd: string, ms: number, ...args: string[]): Promise<boolean> {
  return new Promise((done) => {
    const child = spawn(process.execPath, [RELAY, ...args], { cwd, env: person.env, stdio: 'ignore', detached: true });
    const timer = setTimeout(() => {
      try {
        process.kill(-(child.pid as number), 'SIGKILL');
      } catch {
        // It ended in this very moment.
      }
    }, ms);
    child.on('close', (_code, signal) => {
      clearTimeout(timer);
      done(signal === 'SIGKILL');
    });
  });
}
