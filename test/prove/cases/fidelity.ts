import { proveFidelity, type Route } from '../../support/fidelity.ts';
import type { Input, Prove, Prover } from '../world.ts';

/** The real client of the target lists, shows and resumes the session with its whole history, which came over Git. */
export const prove: Prove = (input, prover) => verdicts(input, prover, 'git');

/** Prints what came of carrying a session over and resuming it. */
export async function verdicts(input: Input, prover: Prover, route: Route): Promise<void> {
  const says = {
    import: 'it is imported',
    request: 'the request on resume holds the whole active branch',
    list: "the client's own list shows its title",
    screen: "the client's own screen shows it",
  };
  for (const { what, ok, detail } of await proveFidelity(input, prover.to, route)) prover.check(ok, `${input.agent} to ${prover.to}: ${says[what]}`, detail);
}
