import { randomBytes } from 'node:crypto';
import { RelayError } from '#lib/errors.ts';
import { isJsonContainer } from './json/literals.ts';
import { createRedactor as createEngine } from './redactor.ts';
import { customLayer } from './settings/custom.ts';
import { faultIn } from './settings/trial.ts';
import { slotByShape } from './stream/shapes.ts';

/** A rule of your own, as in the setting redact.rules. */
export interface RedactionRule {
  /** the kind in the placeholder: small letters and digits, at most 12 */
  id: string;
  /** literals, at least one; one of them stands in whatever the pattern matches. ASCII case does not matter. */
  anchors: readonly string[];
  /** a regular expression of JavaScript with bounded repetitions */
  pattern: string;
  /** i, s, u, m */
  flags?: string;
  /** the group that is the secret; default: all that the pattern matches */
  group?: number;
  /** made-up texts in which something must be found */
  hits?: readonly string[];
  /** texts in which nothing must be found */
  misses?: readonly string[];
}

export interface RedactionOptions {
  /** 32 random bytes that the fingerprints are made under: equal values have equal placeholders under one key. Default: new ones for each redactor. */
  key?: Uint8Array;
  /** Values that are taken out in any form (plain, escaped, for a URL, in base64), of 4 characters and more; undefined ones are passed over. */
  known?: readonly (string | undefined)[];
  /** Rules beside the built-in ones. */
  rules?: readonly RedactionRule[];
}

/** Something that was taken out. Never holds the value or what stands around it. */
export interface RedactionFinding {
  /** short id of the kind of secret, as `relay redact --kinds` lists them */
  kind: string;
  /** the first 8 hex of HMAC-SHA256(key, value) */
  fingerprint: string;
  /** what you called the text, for plain text with the number of its line: `<record>:<line>`, or `line <line>` where it has no name */
  record: string;
  /** JSON pointer within it; "" for text */
  path: string;
  count: number;
}

export interface RedactionReport {
  /** version of the engine and hash of its rules: equal findings can be expected of equal ids only */
  engine: string;
  total: number;
  byKind: Record<string, number>;
  /** the first 100,000; the counts are of all */
  findings: RedactionFinding[];
  /** how many of `total` are in none of the findings, where there are more */
  unlisted?: number;
}

export interface TextRedactor {
  /**
   * Any text, also a whole JSON document: secrets become `[REDACTED:<kind>:<8 hex>]`, everything else stays as it is, and what was redacted before
   * stays so. A value that was found once is taken out of every later text.
   * @param record what the report calls this text, e.g. a file name
   */
  text(value: string, record?: string): string;
  /**
   * One line of JSON Lines, such as a record of a session: stays valid JSON, keeps its spelling, and ids, times, signatures and sealed blobs (by key and
   * shape) are left alone. What is no JSON object or list is treated as text.
   * @param record what the report calls this line, e.g. `session.jsonl:12`
   */
  line(value: string, record?: string): string;
  /** What was taken out so far. */
  report(): RedactionReport;
}

/**
 * The engine behind `relay redact`, for programs. Reads no file, no environment and no settings, and keeps everything in memory.
 *
 * @example
 * import { createRedactor } from 'session-relay/redact';
 *
 * const redactor = createRedactor({ known: [process.env.DB_PASSWORD] });
 * redactor.text('curl -u ci:… https://example.com'); // "curl -u ci:[REDACTED:cli:0a1b2c3d] https://example.com"
 * redactor.line('{"id":"call_1","output":"…"}', 'session.jsonl:12');
 * redactor.report().findings; // [{ kind: 'cli', fingerprint: '0a1b2c3d', record: 'line 1', path: '', count: 1 }]
 *
 * Throws an error (its `code` is `usage`) for a key that is no key and for a rule that cannot be used, saying why.
 */
export function createRedactor(options: RedactionOptions = {}): TextRedactor {
  const { key = randomBytes(32), known = [], rules = [] } = options;
  if (key.length !== 32) throw new RelayError('usage', `A key has 32 bytes, not ${key.length}.`);
  const layers = rules.length ? [customLayer(rules.map(usable))] : [];
  const values = known.filter((value) => value !== undefined && value !== '').map((value) => ({ value: value as string, kind: 'known' }));
  const engine = createEngine({ key: Buffer.from(key), known: values, layers });
  const line = (value: string, record = '') => engine.line(value, record, slotByShape);
  return {
    line,
    text(value, record = '') {
      if (isJsonContainer(value)) return line(value, record);
      return engine.lines(value, (lineFeeds) => (record ? `${record}:${lineFeeds + 1}` : `line ${lineFeeds + 1}`));
    },
    report: () => ({ engine: engine.id, ...engine.report() }),
  };
}

function usable(rule: RedactionRule): Required<Pick<RedactionRule, 'hits' | 'misses'>> & RedactionRule {
  const whole = { hits: [], misses: [], ...rule };
  const fault = faultIn(whole);
  if (fault) throw new RelayError('usage', `The rule "${rule.id}" cannot be used: ${fault}.`);
  return whole;
}
