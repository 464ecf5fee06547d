import { createHmac } from 'node:crypto';

/** What stands in the place of a secret: `[REDACTED:<kind>:<8 hex>]`. Survives JSON at any depth without escapes. */
export const PLACEHOLDER = /\[REDACTED:[a-z0-9]{1,12}:[0-9a-f]{8}\]/y;
export const PLACEHOLDER_START = '[redacted:';

export const placeholder = (kind: string, fingerprint: string): string => `[REDACTED:${kind}:${fingerprint}]`;

/** Every placeholder of a text. */
export const PLACEHOLDERS = new RegExp(PLACEHOLDER.source, 'g');
export const holdsPlaceholder = (text: string): boolean => text.includes('[REDACTED:');
/** The text without placeholders: what a check may judge. */
export const withoutPlaceholders = (text: string): string => (holdsPlaceholder(text) ? text.replace(PLACEHOLDERS, '') : text);

/** So many fingerprints are kept at hand. */
const PRINTS_MAX = 50_000;

/**
 * Fingerprints of values: the first 8 hex of HMAC-SHA256 under the clone's key, so that a reader can neither look up
 * nor try out what stood there.
 */
export function fingerprints(key: Buffer): (value: string) => string {
  const known = new Map<string, string>();
  return (value) => {
    let print = known.get(value);
    if (print === undefined) {
      print = createHmac('sha256', key).update(value).digest('hex').slice(0, 8);
      // Only saves the work; a log may hold a new token in each line.
      if (known.size >= PRINTS_MAX) known.clear();
      known.set(value, print);
    }
    return print;
  };
}
