import { plainName } from './names.ts';

/**
 * Takes a value out of what is stored. A flow makes it, since the store knows nothing of redaction. The same content and value give the same bytes in every
 * clone: so a clone that lags behind comes to the same commits as the one that purged.
 * Every method throws RelayError `secret-left` where the value stands in a place that cannot be edited.
 */
export interface Scrub {
  /** what is put in its place */
  readonly mark: string;
  /** Does it stand in these bytes, in whatever form? */
  holds(bytes: Buffer): boolean;
  /** Does it stand in a name of a ref or file, where case may be lost? */
  inName(name: string): boolean;
  /** Text of any kind; JSON stays valid. */
  text(text: string): string;
  bytes(bytes: Buffer): Buffer;
  /**
   * A stored record.
   * @param load content of an attachment of its version; @param detach takes a new one and answers its sha256
   */
  line(line: string, agent: string, load: (sha256: string) => Promise<Buffer>, detach: (bytes: Buffer) => string): Promise<string>;
}

/** A shorter value stands in too much that is no secret, a longer one is a file. In UTF-16 units. */
export const VALUE_LENGTH = { shortest: 6, longest: 65_536 } as const;

/** Does it stand in the name of a handoff? */
export const nameHolds =
  (scrub: Scrub) =>
  (handoff: string): boolean =>
    scrub.inName(plainName(handoff));

/** What the store needs to be told of redaction to purge values. */
export interface Scrubbing {
  /** @param mark what is put in the place of the values */
  scrub(values: readonly string[], mark: string): Scrub;
  /** The values that stand in `before` where `after` has one of the marks, in lines that are the same otherwise: [mark, value]. */
  between(before: Buffer, after: Buffer, marks: readonly string[]): [string, string][];
  /** From now on these values are taken out of what this clone stores. */
  remember(values: readonly string[]): Promise<void>;
}
