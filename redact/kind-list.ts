import { kindName, namedKinds } from './kinds.ts';
import { families } from './rules/index.ts';

/** A kind of secret as it stands in placeholders and reports. */
export interface Kind {
  /** e.g. gh */
  id: string;
  /** in words, e.g. GitHub token */
  name: string;
  /** what it is a secret of, e.g. hosting; "general" for what is told by a name beside it, a format or its value */
  family: string;
}

/** Every kind that the built-in rules tell, by family. */
export function kindList(): Kind[] {
  const familyOf = new Map<string, string>();
  for (const [family, rules] of Object.entries(families)) for (const { kind } of rules) if (!familyOf.has(kind)) familyOf.set(kind, family);
  const ids = [...new Set([...familyOf.keys(), ...namedKinds])];
  return ids
    .map((id) => ({ id, name: kindName(id), family: familyOf.get(id) ?? 'general' }))
    .sort((a, b) => compare(a.family, b.family) || compare(a.id, b.id));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
