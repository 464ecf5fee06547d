import { families } from '../rules/index.ts';
import { isPersonal, type Personal, personalKinds } from '../settings/pii.ts';
import { kindName, namedKinds } from './kinds.ts';

/** A kind of secret as it stands in placeholders and reports. */
export interface Kind {
  /** e.g. gh */
  id: string;
  /** in words, e.g. GitHub token */
  name: string;
  /** what it is a secret of, e.g. hosting; "general" for what is told by a name beside it, a format or its value; "own" for a rule of the settings */
  family: string;
  /** the setting that asks for it, e.g. redact.rules; none: it is always looked for */
  setting?: string;
}

/** What the settings ask for beside what is always looked for (redact.rules, redact.pii, redact.paranoid). */
interface Asked {
  rules: readonly { id: string }[];
  pii: readonly Personal[];
  paranoid: boolean;
}

/** Every kind that is looked for: those of the built-in rules by family, then those that the settings ask for. */
export const kindList = (asked: Asked): Kind[] => [...builtIn(), ...askedFor(asked)];

function builtIn(): Kind[] {
  const familyOf = new Map<string, string>();
  for (const [family, rules] of Object.entries(families)) for (const { kind } of rules) if (!familyOf.has(kind)) familyOf.set(kind, family);
  const ids = new Set([...familyOf.keys(), ...namedKinds.filter((id) => !isPersonal(id) && id !== RANDOM)]);
  return [...ids]
    .map((id) => ({ id, name: kindName(id), family: familyOf.get(id) ?? 'general' }))
    .sort((a, b) => compare(a.family, b.family) || compare(a.id, b.id));
}

/** What the layer of redact.paranoid finds. */
const RANDOM = 'random';

function askedFor({ rules, pii, paranoid }: Asked): Kind[] {
  const general = (id: string, setting: string): Kind => ({ id, name: kindName(id), family: 'general', setting });
  return [
    ...[...new Set(rules.map(({ id }) => id))].map((id) => ({ id, name: 'what a rule of the settings finds', family: 'own', setting: 'redact.rules' })),
    ...personalKinds(pii).map((id) => general(id, 'redact.pii')),
    ...(paranoid ? [general(RANDOM, 'redact.paranoid')] : []),
  ];
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
