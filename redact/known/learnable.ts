import { entropy } from '../context/judge.ts';
import { isPersonal } from '../settings/pii.ts';
import type { Taken } from '../taken.ts';

const LEARN_FROM = 8;
const LEARN_TO = 4000;
/** Kinds that people choose themselves: these may be words. */
const CHOSEN = new Set(['url', 'db', 'cli', 'hdr']);

/** Is a value that was found once to be taken out wherever it stands? Not where it might be an ordinary word or a name. */
export function worthLearning({ kind, value, rank }: Taken): boolean {
  if (value.length < LEARN_FROM || value.length > LEARN_TO || rank === 2) return false;
  if (kind === 'b64' || isPersonal(kind)) return false;
  if (rank === 1 && !CHOSEN.has(kind)) return true;
  return /[A-Za-z]/.test(value) && entropy(value) > 2.5 && (/\d/.test(value) ? !isName(value) : SYMBOL_INSIDE.test(value));
}

/** Words in small and capital letters around a symbol that no name has. */
const SYMBOL_INSIDE = /^(?=.*[a-z])(?=.*[A-Z])\w+(?:[!#$%^&*~]+\w+)+$/;

/** Parts of names with digits: `postgres16`, `utf8mb4`, `4o`, `k8s`, `2024`, `getPassword2`, `RS256`. */
const NAME_PART =
  /^(?:v?\d{1,5}|[a-z]{2,}\d{0,2}(?:[a-z]{1,4}\d{0,2})?|[a-z]{1,3}\d{1,3}[a-z]{0,4}|\d{1,2}[a-z]{1,2}|[A-Z]{2,}\d{0,3}|[A-Z]?[a-z]+(?:[A-Z][a-z]+)*\d?)$/;

/** Does every part of it look like what programs, models, hosts and variables are called? */
function isName(value: string): boolean {
  const parts = value.split(/[-_.:/=#@]+/).filter(Boolean);
  return parts.every((part) => NAME_PART.test(part)) && !hasCapitalsAndNumber(parts);
}

/** `Sommer-Regen-77`: names have their capitals inside, or none. */
const hasCapitalsAndNumber = (parts: readonly string[]): boolean =>
  parts.some((part) => /^[A-Z][a-z]{2,}$/.test(part)) && parts.some((part) => /^\d{2,}$/.test(part));

/** A value as it is meant, where it was found with the escapes of a URL or of JSON: it is looked for in all its forms. */
export function unescaped(value: string): string {
  try {
    if (/%[0-9A-Fa-f]{2}/.test(value)) return decodeURIComponent(value);
    if (value.includes('\\')) return String(JSON.parse(`"${value}"`));
  } catch {
    // No escapes, then.
  }
  return value;
}
