import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { grow } from '../../support/grow.ts';
import { inWorld, nameOf, type Prove, type PushJson } from '../world.ts';

const STEPS = 40;
const STEP_BYTES = 250_000;

/** Growth: 40 steps of 250 kB with a push after each; bytes sent, size of the store and time stay in proportion to what is new. */
export const prove: Prove = (input, prover) =>
  inWorld(input, prover, async (w) => {
    const times: number[] = [];
    let sent = 0;
    for (let step = 0; step < STEPS; step++) {
      grow(w.session, STEP_BYTES, step);
      const started = performance.now();
      const pushed = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
      times.push(performance.now() - started);
      if (!pushed.sent || pushed.sentBytes === undefined) throw new Error(`step ${step} sent nothing`);
      sent += pushed.sentBytes;
    }
    const final = deflateSync(readFileSync(w.session.path), { level: 6 }).length;
    const store = folderSize(join(w.annProject, '.git/relay'));
    const [early, late] = [median(times.slice(3, 8)), median(times.slice(35, 40))];
    prover.note(`final size compressed ${final}, sent ${sent}, store ${store}; median of steps 4-8 ${early.toFixed(0)} ms, of 36-40 ${late.toFixed(0)} ms`);
    prover.check(sent <= 1.5 * final, `bytes sent are ${(sent / final).toFixed(2)} times the final compressed size (at most 1.5)`);
    prover.check(store <= 3 * final, `the store is ${(store / final).toFixed(2)} times the final compressed size (at most 3)`);
    prover.timed(late <= 1.3 * early, `the last pushes take ${(late / early).toFixed(2)} times as long as the first (at most 1.3)`);
    const again = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
    prover.check(!again.sent && again.handoffs[0]?.version === STEPS, 'a push without new lines makes no version and sends nothing', JSON.stringify(again));
  });

const median = (values: number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export function folderSize(path: string): number {
  return readdirSync(path, { withFileTypes: true }).reduce((sum, entry) => {
    const full = join(path, entry.name);
    return sum + (entry.isDirectory() ? folderSize(full) : statSync(full).size);
  }, 0);
}
