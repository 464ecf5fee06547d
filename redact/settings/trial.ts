import { namedKinds } from '../shapes/kinds.ts';
import { adviceOn } from './backtracking.ts';
import { type CustomRule, findsIn } from './custom.ts';
import { ownTime, TimedOut, within } from './deadline.ts';
import { hostileTexts } from './hostile.ts';

/** Time for all hostile texts of a pattern when it is tried, in ms. Those without nested repetitions need a hundredth of it. */
const TRIAL = 1000;

/**
 * Why a rule cannot be used; undefined where it can. Its samples are tried, and texts made to keep its pattern busy.
 * Never says what a sample holds.
 * @param trial time for these texts, in ms
 */
export function faultIn(rule: CustomRule, trial = TRIAL): string | undefined {
  const malformed = faultInForm(rule);
  if (malformed) return malformed;
  if (namedKinds.includes(rule.id)) return `"${rule.id}" is a kind that relay itself finds; take another id`;
  const fault = faultInPattern(rule.pattern, rule.flags, rule.hits, trial);
  if (fault) return fault;
  const groups = (new RegExp(`${rule.pattern}|`, rule.flags).exec('')?.length ?? 1) - 1;
  if ((rule.group ?? 0) > groups)
    return `its pattern has ${groups ? `only ${groups}` : 'no'} group${groups === 1 ? '' : 's'}, so there is no group ${rule.group}`;
  if (new RegExp(rule.pattern, rule.flags).test('')) return 'its pattern matches the empty text';
  let sample: string | undefined;
  const ended = endsIn(trial, () => {
    sample = faultInSamples(rule);
  });
  return ended ? sample : mayLast(rule.pattern);
}

/** What the settings' schema asks for as well; a program may hand over anything. */
function faultInForm({ id, anchors, pattern, flags = '' }: CustomRule): string | undefined {
  if (typeof id !== 'string' || !/^[a-z][a-z0-9]{0,11}$/.test(id)) return 'its id must be a small letter and up to 11 more small letters or digits';
  if (typeof pattern !== 'string') return 'it needs a pattern, as text';
  if (!Array.isArray(anchors) || !anchors.length || anchors.some((anchor) => anchor.length < 3)) return 'it needs anchors, each of at least 3 characters';
  return /^[isum]*$/.test(flags) ? undefined : 'only the flags i, s, u and m can be used';
}

function faultInSamples(rule: CustomRule): string | undefined {
  const lost = rule.hits.findIndex((text) => !findsIn(rule, text));
  if (lost >= 0) {
    const matched = new RegExp(rule.pattern, rule.flags).test(rule.hits[lost] as string);
    return `hits.${lost} is not found: ${matched ? 'no anchor stands in what the pattern matches there' : 'the pattern does not match it'}`;
  }
  const found = rule.misses.findIndex((text) => findsIn(rule, text));
  return found >= 0 ? `misses.${found} is found, and must not be` : undefined;
}

/** Why a regular expression cannot be used: it does not compile, or may run for ever. */
export function faultInPattern(source: string, flags = '', samples: readonly string[] = [], trial = TRIAL): string | undefined {
  let expression: RegExp;
  try {
    expression = new RegExp(source, `${flags}g`);
  } catch (error) {
    return `its pattern does not compile: ${(error as Error).message.replace(/^.*: /s, '').toLowerCase()}`;
  }
  return endsIn(trial, () => {
    for (const text of hostileTexts(source, flags, samples)) for (const _ of text.matchAll(expression));
  })
    ? undefined
    : mayLast(source);
}

const mayLast = (source: string): string => `its pattern may run for ever (catastrophic backtracking); ${adviceOn(source)}`;

/** Does work end within so many ms of this process's own time? On a busy machine it may take longer. */
function endsIn(ms: number, work: () => void): boolean {
  for (const patience of [1, 5]) {
    const start = ownTime();
    try {
      within(ms * patience, work);
      return true;
    } catch (error) {
      if (!(error instanceof TimedOut) || ownTime() - start > 0.5 * ms) return false;
    }
  }
  return false;
}
