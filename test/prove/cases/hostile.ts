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
    const slowest = Object.keys(ms).reduce((a, b) => (over(ms, norm.ms, a) > over(ms, norm.ms, b) ? a : b));
    prover.timed(
      over(ms, norm.ms, slowest) <= MOST,
      `${name}: ${over(ms, norm.ms, slowest).toFixed(1)} times plain text at most (${slowest}, ${(ms[slowest] as number).toFixed(0)} ms)`,
    );
  }
};

const over = (ms: Record<string, number>, norm: Record<string, number>, name: string): number =>
  Math.max(0, (ms[name] as number) - START) / (norm[name] as number);
