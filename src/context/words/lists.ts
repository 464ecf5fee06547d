/** What words are looked for. `context.words` of the settings adds to these, by the same names. */
export const PURPOSES = [
  /** sounds as if it bound something, and does not: is taken out before the others are looked for */
  'casual',
  'binding',
  'limit',
  'fact',
  /** what a report of trouble has, and a fact that binds has not */
  'symptom',
  'polite',
  'asking',
  'tag',
  'refusal',
  'correction',
  /** says that something is different from what was said before */
  'change',
  'lifting',
  'dropping',
  'going_back',
  'all_of_it',
  'deciding',
  'waiting',
  'done',
  'small_talk',
  /** announces a pasted text */
  'pasted',
  /** says of a pasted text that it is to be followed */
  'rules_wanted',
] as const;
export type Purpose = (typeof PURPOSES)[number];

/** The phrases of a language. */
export type Lists = Readonly<Record<Purpose, readonly string[]>>;
