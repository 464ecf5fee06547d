import type { Prove, Prover } from '../world.ts';
import { roundTrip } from './lossless-files.ts';
import { lines as linesProof } from './lossless-lines.ts';

/**
 * Nothing is lost: every line and 1,000 odd ones come back byte for byte from what is stored, redacted lines stay valid, and a session that went over
 * Git to another person and into the same agent is the same file again but for what the loss report names.
 */
export const prove: Prove = async (input, prover) => {
  await linesProof(input, prover);
  await roundTrip(input, prover);
  const odd: Prover = { ...prover, check: (ok, what, detail) => prover.check(ok, `with odd lines behind it, ${what}`, detail), note: () => {} };
  await roundTrip(input, odd, true);
};
