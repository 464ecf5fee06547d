import { likeness, subjects } from './likeness.ts';
import type { Clause, Remark } from './remarks.ts';
import type { Value } from './values.ts';

/** A clause that stands until another replaces it. */
export interface Held {
  remark: Remark;
  clause: Clause;
  /** what it is about; a clause that only says "make it 300 ms" is about what its sentence is about */
  about: ReadonlySet<string>;
}

/** How much of the fewer subjects two clauses share where one of them says that it changes something. */
export const ALIKE = 0.5;
/** Under this key stands every clause. */
export const ALL = 'all of them';
export const ANY = 'any subject';

/** Under what a clause is looked for; values by what the clause is about, too, since many clauses have one. */
export function keysOf({ clause, about }: Held): Set<string> {
  const words = about.size ? [ANY, ...about] : [ANY, ''];
  const values = clause.values.flatMap(({ type }) => words.map((word) => valueKey(type, word)));
  return new Set([...everything(clause), ...(clause.setting?.slot ?? []), ...values, ALL]);
}

export const valueKey = (type: string, word: string): string => `value ${type}: ${word}`;

/** The values by the same stems as the subjects. */
export const everything = (clause: Clause): Set<string> => new Set([...clause.topic, ...valued(clause)]);

export const valued = (clause: Clause): string[] => clause.values.flatMap(({ value }) => [...subjects(value)]);

export const about = (clause: Clause, remark: Remark): ReadonlySet<string> =>
  clause.topic.size ? clause.topic : new Set(remark.clauses.flatMap((one) => [...one.topic]));

export function differs(clause: Clause, value: Value, change: boolean): boolean {
  const same = clause.values.filter(({ type, bound }) => type === value.type && (bound === value.bound || (change && !(bound && value.bound))));
  return !clause.negative && same.length > 0 && new Set(same.map((one) => one.value)).size === 1 && same[0]?.value !== value.value;
}

/**
 * Two requests one after the other may name two figures of a kind ("rerun it 10 times", "rerun it 20 times"): a figure is another in place of the first where it is a limit,
 * a choice by name, or is said to be set or changed. What comes in addition is none.
 */
export function decides({ clause, remark }: Held, { type, bound }: Value): boolean {
  if (remark.change || remark.correction) return true;
  return !ADDED.test(clause.text) && (clause.setting !== undefined || bound !== '' || /^(?:name|set) /.test(type));
}

const ADDED = /\b(?:also|too|as well|additionally|in addition|plus|besides|both|another|second)\b|也|还要|同时|再加/i;

/** Whether a clause that sets another value of the same kind sets it for the same purpose. */
export function replaces(later: Held, earlier: Held): boolean {
  const change = later.remark.change || later.remark.correction;
  const [now, before] = [later.about, earlier.about];
  if (!now.size || !before.size) return change || now.size === before.size;
  if (sameSubjects(now, before)) return true;
  // More general: "make the port 9090". More special: only where it says that something changes.
  if ([...now].every((word) => before.has(word))) return true;
  return change && likeness(now, before) >= ALIKE && shared(now, before) > 0;
}

export const sameSubjects = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => a.size === b.size && shared(a, b) === a.size;

export function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const word of a) if (b.has(word)) count++;
  return count;
}
