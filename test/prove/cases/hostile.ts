import { seeded } from '../../support/generate.ts';
import { KNOWN, runHostile } from '../../support/hostile-run.ts';
import { HOSTILE, hostileText } from '../../support/hostile-texts.ts';
import { output, prose } from '../../support/texts.ts';
import type { ProveAlone } from '../world.ts';

const SIZE = 1_000_000;
/** Of the time that plain text of the same size takes. */
const MOST = 10;
/** What a redactor takes to be made and to warm up, in ms: a text is not at fault for it. */
const START = 60;
/** Times that a text is measured before it is called slow. */
const TRIES = 3;

/** Texts that are made to be slow, deep or odd: none takes ten times as long as plain text, none breaks anything. */
export const prove: ProveAlone = async (seed, prover) => {
  const random = seeded(seed);
  const plain = (): string => {
    let text = '';
    while (text.length < SIZE) text += `${prose({ random, project: '/home/ann/proj' })}\n${output({ random, project: '/home/ann/proj' })}\n`;
    return text;
  };
  for (let i = 0; i < 3; i++) runHostile(plain());
  const norm = runHostile(plain());
  prover.check(norm.wrong.length === 0, 'plain text comes through', norm.wrong.join('\n'));
  const speed = (name: string): string => `${name} ${(SIZE / 1000 / (norm.ms[name] as number)).toFixed(0)} MB/s`;
  prover.note(`${(SIZE / 1e6).toFixed(0)} MB of plain text: ${Object.keys(norm.ms).map(speed).join(', ')}; seed ${seed}`);
  for (const name of Object.keys(HOSTILE)) {
    const { ms, wrong } = runHostile(hostileText(name, SIZE, seed, KNOWN));
    prover.check(wrong.length === 0, `${name}: comes through`, wrong.join('\n'));
    let worst = slowest(ms, norm.ms);
    // Whatever else the machine did meanwhile: both once more, side by side.
    for (let tries = 1; worst.times > MOST && tries < TRIES; tries++) {
      const beside = runHostile(plain());
      const again = slowest(runHostile(hostileText(name, SIZE, seed, KNOWN)).ms, beside.ms);
      if (again.times < worst.times) worst = again;
    }
    prover.timed(worst.times <= MOST, `${name}: ${worst.times.toFixed(1)} times plain text at most (${worst.step}, ${worst.ms.toFixed(0)} ms)`);
  }
};

function slowest(ms: Record<string, number>, norm: Record<string, number>): { step: string; ms: number; times: number } {
  const all = Object.entries(ms).map(([step, took]) => ({ step, ms: took, times: over(ms, norm, step) }));
  return all.reduce((a, b) => (a.times > b.times ? a : b));
}

const over = (ms: Record<string, number>, norm: Record<string, number>, name: string): number =>
  Math.max(0, (ms[name] as number) - START) / (norm[name] as number);
