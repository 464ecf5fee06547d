import { RelayError } from '#lib/errors.ts';
import { hintOn } from './backtracking.ts';
import type { CustomRule } from './custom.ts';
import { ownTime, TimedOut, within } from './deadline.ts';

/** Time that all rules may take together, in ms of this process: so much at once, and so much for each UTF-16 unit of text. */
const AT_ONCE = 2000;
const PER_UNIT = 1000 / 1_000_000;
/** The clock may run so many times as long on a busy machine, and so many ms more. */
const PATIENCE = 2;
const PAUSE = 200;

/** Looks for something in a part of a text. */
type Step = () => void;

/** Counts the time that rules of the settings take of a run. What is not used is not saved up: a text has its own share, and `AT_ONCE`. */
export interface Meter {
  /**
   * Takes steps of rules, each of which may last for ever.
   * @param length of the text that they look at, in UTF-16 units
   * @throws RelayError `blocked`, with the rule that took most
   */
  run(length: number, steps: Iterable<readonly [rule: CustomRule, step: Step]>): void;
  /** To be told of a text that no rule has to look at. */
  passes(length: number): void;
}

export function meter(): Meter {
  const spent = new Map<CustomRule, number>();
  let left = AT_ONCE;
  let running: { rule: CustomRule; since: number } | undefined;
  const stop = (): void => {
    if (running) spent.set(running.rule, (spent.get(running.rule) ?? 0) + performance.now() - running.since);
    running = undefined;
  };
  const take = (steps: Iterable<readonly [CustomRule, Step]>): void => {
    const start = ownTime();
    for (const [rule, step] of steps) {
      running = { rule, since: performance.now() };
      step();
      stop();
      if (ownTime() - start > left) throw new TimedOut('took too long');
    }
    left -= ownTime() - start;
  };
  return {
    run(length, steps) {
      left += length * PER_UNIT;
      try {
        within(Math.ceil(left * PATIENCE + PAUSE), () => take(steps));
      } catch (error) {
        const failing = running?.rule;
        stop();
        throw error instanceof TimedOut ? tooSlow(spent) : failed(failing);
      }
      left = Math.min(left, AT_ONCE);
    },
    passes: (length) => {
      left = Math.min(left + length * PER_UNIT, AT_ONCE);
    },
  };
}

const STOPPED = 'so relay stopped there: what cannot be scanned is not let through.';

function tooSlow(spent: ReadonlyMap<CustomRule, number>): RelayError {
  const [slowest] = [...spent].sort(([, a], [, b]) => b - a).map(([rule]) => rule);
  return new RelayError(
    'blocked',
    `The rules of redact.rules need more than ${AT_ONCE / 1000} s and 1 s more for each MB of text, the rule "${slowest?.id}" most of it, ${STOPPED}`,
    slowest && hintOn(slowest.pattern),
  );
}

const failed = (rule: CustomRule | undefined): RelayError =>
  new RelayError('blocked', `The rule "${rule?.id}" of redact.rules fails on a text, ${STOPPED}`, rule && hintOn(rule.pattern));
