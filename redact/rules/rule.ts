/**
 * One family of secrets that are told by their own shape. A rule is data: literals that start a check, and the check.
 * Samples are templates, so that no file holds anything that looks like a live credential: `{an36}` stands for 36
 * characters of a class (an letters and digits, az letters, hex, xhex in either case, up capitals and digits, url base64url,
 * b64, b58, b32, dig, low small letters and digits).
 */
export interface Rule {
  /** short id that stands in the placeholder: small letters and digits, no word that another rule looks for */
  kind: string;
  /** literals, small letters; each occurrence starts the check. None: it is tried where a run of 24 or more characters of a token begins (runs.ts). */
  anchors: readonly string[];
  /** Tried at the anchor (flag y). The first group, where there is one, is the secret. Quantifiers are bounded. */
  pattern: RegExp;
  /** The secret starts so many characters before the anchor: a fixed number, or digits as many as there are within [min, max]. */
  back?: number | readonly [min: number, max: number];
  /** Must not stand directly before the match; default: nothing, or letters and digits where a mark is shorter than 6 characters. */
  notAfter?: RegExp;
  /** Its tokens are longer than a line, however short the mark is. */
  long?: true;
  /** A last look at the secret; default: it is no sample of a documentation. */
  check?: (value: string) => boolean;
  hits: readonly string[];
  misses: readonly string[];
}
