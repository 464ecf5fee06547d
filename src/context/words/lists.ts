/** What people say when they propose, ask and answer. */
const TALK = [
  'proposing',
  /** of several things one is to be chosen */
  'choosing',
  /** asks for an answer, with or without a question mark */
  'wants_answer',
  /** a question that only ends a message politely */
  'closing',
  'accepting',
  /** says to go on: accepts what was asked, and nothing else */
  'continuing',
  /** names what is to be taken */
  'picking',
  'declining',
  /** refuses without a word of what */
  'bare_no',
  'putting_off',
  'taking_back',
  /** something waits for somebody else, or for an event */
  'third_person',
  /** the answer of somebody else has come */
  'brought',
  /** what is next, or not done yet */
  'remaining',
] as const;
export type TalkPurpose = (typeof TALK)[number];

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
  ...TALK,
] as const;
export type Purpose = (typeof PURPOSES)[number];

/** The phrases of a language. */
export type Lists = Readonly<Record<Purpose, readonly string[]>>;
