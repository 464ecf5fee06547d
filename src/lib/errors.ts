/**
 * The one error class. A code from this table decides the exit code; the message says what and where,
 * the hint says what to type next. Neither may hold a secret value.
 */
const EXIT = {
  failed: 1,
  corrupt: 1,
  offline: 1,
  'nothing-to-import': 1,
  'over-budget': 1,
  'unknown-format': 1,
  usage: 2,
  config: 2,
  'not-found': 2,
  ambiguous: 2,
  'not-a-repository': 2,
  blocked: 3,
  consent: 3,
  'secret-left': 3,
  drift: 3,
  unaccepted: 3,
  cancelled: 130,
} as const;

export type ErrorCode = keyof typeof EXIT;

export const exitCodeOf = (code: ErrorCode): number => EXIT[code];

/** An expected failure. `exitCode` follows from the code: 1 failed, 2 usage or configuration, 3 blocked on purpose, 130 cancelled. */
export class RelayError extends Error {
  readonly code: ErrorCode;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, hint?: string) {
    super(message);
    this.name = 'RelayError';
    this.code = code;
    this.hint = hint;
  }

  get exitCode(): number {
    return EXIT[this.code];
  }
}
