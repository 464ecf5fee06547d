import { faultInWhole } from './allow.ts';
import type { CustomRule } from './custom.ts';
import { ownTime } from './deadline.ts';
import { faultIn } from './trial.ts';

/** Time for trying all rules and patterns of the settings, in ms of this process: it is spent by every command. */
const ALL = 3000;
/** So many of the slowest are told. */
const TOLD = 3;

/** Why rules and patterns of the settings cannot be used, one by one or because all of them together take too long to be tried. */
export interface Trials {
  rule(rule: CustomRule): string | undefined;
  /** a pattern of redact.allow.patterns */
  allowed(pattern: string): string | undefined;
}

/** @param all time for all of them, in ms of this process */
export function settingsTrials(all = ALL): Trials {
  const spent: { what: string; ms: number }[] = [];
  let left = all;
  const timed = (what: string, fault: () => string | undefined): string | undefined => {
    // It is told already that they cannot be used.
    if (left <= 0) return undefined;
    const start = ownTime();
    const reason = fault();
    const ms = ownTime() - start;
    spent.push({ what, ms });
    left -= ms;
    return reason ?? (left > 0 ? undefined : tooMuch(spent, all));
  };
  return {
    rule: (rule) => timed(`the rule "${rule.id}"`, () => faultIn(rule)),
    allowed: (pattern) => timed(`pattern ${spent.filter(({ what }) => what.startsWith('pattern')).length + 1}`, () => faultInWhole(pattern)),
  };
}

function tooMuch(spent: readonly { what: string; ms: number }[], all: number): string {
  const sorted = [...spent].sort((a, b) => b.ms - a.ms);
  const slowest = sorted.slice(0, TOLD).filter(({ ms }) => ms > (sorted[0]?.ms ?? 0) / 10);
  const told = slowest.map(({ what, ms }) => `${what} (${(ms / 1000).toFixed(1)} s)`).join(', ');
  return `up to here the rules and patterns of the settings need more than ${all / 1000} s to be tried, most of all ${told}; write these with smaller bounds, or leave some out`;
}
