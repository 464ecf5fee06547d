import type { Block, Role, SessionRecord } from './record.ts';

/** One message of the active branch, as the next model should get it. Knows where it came from. */
export interface Entry {
  role: Role;
  content: Block[];
  /** stream and record number (from 0) that it was made from; -1 for what relay wrote itself */
  stream: string;
  record: number;
  /** harness: put in by the source's client; relay: written by relay */
  origin: 'person' | 'model' | 'tool' | 'harness' | 'relay';
  time?: string;
  model?: string;
  /** entries with one group are parts of one reply */
  group?: string;
  /** a compaction summary */
  summary?: boolean;
  /** sent to the model, not shown to people */
  hidden?: boolean;
}

/** What a client would resume, told without any agent's own notions. */
export interface Conversation {
  /** The whole active branch in order, also what lies before a compaction. */
  entries: Entry[];
  /**
   * What the model got at the source: `entries` itself (same array) where nothing was compacted, otherwise
   * summary, kept messages and all that came after.
   */
  view: Entry[];
  /** true: the source's view is sealed by its provider; it must be fitted anew from `entries` */
  sealed: boolean;
  /** message records that are on abandoned branches */
  abandoned: number;
}

/** The streams of a session in memory. Records may lack `native`. */
export type Streams = ReadonlyMap<string, readonly SessionRecord[]>;

/** The plan of an import: what people find in the file, and what of it the model gets. */
export interface Fitted {
  /** kept in the file for people; the model does not get it any more */
  history: Entry[];
  /** stands for `history` in the model's view: a summary first, then what is kept verbatim or shortened; empty: no checkpoint */
  lead: Entry[];
  /** the model gets these as they are */
  tail: Entry[];
  /** size of the model's view (lead + tail) */
  size: { tokens: number; items: number; bytes: number };
}
