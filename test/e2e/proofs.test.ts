import { describe, it } from 'vitest';
import { prove as crash } from '../prove/cases/crash.ts';
import { prove as diff } from '../prove/cases/diff.ts';
import { prove as known } from '../prove/cases/known.ts';
import { prove as race } from '../prove/cases/race.ts';
import { prove as rules } from '../prove/cases/rules.ts';
import { prove as secrets } from '../prove/cases/secrets.ts';
import { prove as untouched } from '../prove/cases/untouched.ts';
import { prove as watch } from '../prove/cases/watch.ts';
import { holds, SAMPLES } from '../support/proofs.ts';

describe.each(SAMPLES)('a session of $agent', (input) => {
  it('differs between two versions by exactly the new turns', () => holds(diff, input));
  it('leaves the repository as it was, whatever .relayrc asks for', () => holds(untouched, input));
  it('leaves no secret anywhere', () => holds(secrets, input));
  it('leaves no value of environment and files, and none that it names once', () => holds(known, input));
  it('is handed on once when its context is nearly full', () => holds(watch, input));
  it('is redacted by the rules of .relayrc, but not by hostile ones', () => holds(rules, input));
});

const [claude] = SAMPLES as [(typeof SAMPLES)[0]];
it('survives SIGKILL at 20 points of push and of import', () => holds(crash, claude), 300_000);
it('loses nothing when two people, or eight processes, push at once', () => holds(race, claude), 400_000);
