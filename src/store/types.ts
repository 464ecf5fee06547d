import type { Link } from './link-line.ts';

/**
 * The store: sessions as chains of commits in a side repository. What a flow sees of it.
 * Names: a handoff is `<writer>/<session>`; its versions are numbered from 1.
 */
export interface Store {
  /** bare side repository */
  readonly path: string;
  /** folder beside it for key, state and settings of this clone, mode 0700 */
  readonly home: string;
  /** this clone's writer id, e.g. ann-3f9c02; made on first use */
  writer(): Promise<string>;
  /** 32 random bytes of this clone that never leave it; made on first use */
  key(): Promise<Buffer>;

  /**
   * Adds a version to this clone's chain of a session. `build` gets what is stored (null: nothing yet) and says what the
   * new version holds, or answers null for "nothing new". One `git fast-import` with compare-and-swap; when another process was
   * first, `build` runs again on the new state. Nothing is stored when `build` throws.
   * Processes of one clone take turns on one session; a lock left by a dead process is swept.
   * What `build` does not open again is not in the new version: streams; attachments when no stream keeps any record.
   * Without anything stored and with null from `build`: ref and commit "", n 0.
   */
  append(
    session: string,
    build: (base: StoredVersion | null, writer: VersionWriter) => Promise<NewVersion | null>,
  ): Promise<{ ref: string; commit: string; n: number; appended: boolean }>;

  /** Has this clone stored a version of this session? Cheaper than a list. */
  holds(session: string): Promise<boolean>;

  /** Handoffs known here, own and fetched, from the index cards; reads no transcript. */
  list(): Promise<HandoffCard[]>;
  /** The versions of a handoff, oldest first. */
  versions(handoff: string): Promise<VersionInfo[]>;
  /** Opens a version: `<writer>/<session>` (newest), with `@n`, or a commit id of one. RelayError not-found otherwise. */
  open(name: string): Promise<StoredVersion>;

  /** Adds links of commits to own sessions, durable in this clone; a link that was added before is not added again. */
  link(entries: readonly { session: string; link: Link }[]): Promise<void>;
  /** The links that this clone has made to any of these commits. */
  linked(commits: ReadonlySet<string>): Promise<{ session: string; link: Link }[]>;
  /** Every link known here, own and fetched; or those to some commits, which takes less. */
  links(of?: ReadonlySet<string>): Promise<{ handoff: string; link: Link }[]>;
  /** Makes the links of own sessions anew that are not sent yet, or were sent with what must not stand there. */
  relink(sessions: ReadonlySet<string>, made: (link: Link) => Link): Promise<void>;

  /** Objects that `remote` lacks for these own handoffs (default: all): everything that a send would transfer. */
  outgoing(remote: Remote, handoffs?: string[]): Promise<OutgoingObject[]>;
  /** Content of objects, one process for all. */
  contents(ids: string[]): AsyncIterable<{ id: string; type: string; bytes: Buffer }>;
  /**
   * Pushes own handoffs (default: all) and this writer's index, atomically where the server can. Never forces. What others purged since is taken out
   * first; then `recheck` is asked again about what leaves, by the names that it has then and in the same order. RelayError `blocked` for what must not come back.
   */
  send(remote: Remote, handoffs?: string[], recheck?: (handoffs: string[]) => Promise<void>): Promise<SendResult>;
  /**
   * Takes a handoff, a version or values out of the history here and on the remote (undefined: here only), and leaves a tombstone that every other
   * clone follows. Safe to run again: what a killed one left is finished.
   */
  purge(remote: Remote | undefined, order: PurgeOrder, options?: PurgeOptions): Promise<Purged>;
  /** Own handoffs that were purged as a whole: they go only by name. */
  withdrawn(): Promise<Set<string>>;
  /** All that is known here of purges, whoever made them, in the order in which this clone learned of them. */
  purges(): Promise<PurgedHandoff[]>;
  /** Own handoffs that others purged as a whole: they are kept here and never sent. */
  heldBack(): Promise<PurgedHandoff[]>;
  /** Own handoffs that the remote is not known to have, or of which it lacks links of commits; nobody is asked. */
  unsent(remote: Remote): Promise<string[]>;
  /** Own handoffs of which some version was sent to the remote, from refs alone. */
  shared(remote: Remote): Promise<string[]>;
  /** Versions of this clone that some remote has, each with its blobs. Reads the history. */
  sent(): Promise<SentVersion[]>;
  /** True when this store has the index of any writer from the remote: it was fetched from or sent to. */
  knows(remote: Remote): Promise<boolean>;
  /** Fetches index refs and then the named handoffs, or those updated in the last `days`. */
  fetch(
    remote: Remote,
    want: { handoffs?: string[]; days?: number },
  ): Promise<{
    updated: { handoff: string; commit: string; rewritten: boolean }[];
    /** what others purged and this clone has followed; `kept`: all of an own one, which stays here and is not sent */
    purged: (PurgedHandoff & { kept: boolean })[];
    /** what is not taken from the remote (a damaged or forged object, something that was purged), each a handoff or the ref of an index; the rest was fetched */
    refused: { handoff?: string; ref?: string; reason: string }[];
  }>;
}

/** What a purge did to a handoff. */
export interface PurgedHandoff {
  handoff: string;
  /** writer who purged it */
  by: string;
  /** ISO 8601 */
  at: string;
  /** highest number that a version of it had then */
  last: number;
  /** true: no version of it was left */
  gone: boolean;
  /** numbers of the versions that went, where some are left */
  versions: number[];
  /** numbers of the versions out of which a value was taken */
  edited: number[];
}

/** What is to be purged: a handoff, one version of it, or values wherever they stand. */
export type PurgeOrder = { handoff: string; version?: number } | { values: readonly string[] };

export interface PurgeOptions {
  /** true: it is only told what would go */
  dryRun?: boolean;
  /** called when something is found to go, before anything is changed; once more for each new attempt */
  begin?(): void;
}

/** What a purge did, or would do. */
export interface Purged {
  /** id of the tombstone that other clones follow; null: nothing was there to be purged */
  tombstone: string | null;
  handoffs: {
    handoff: string;
    /** true: no version of it is left */
    gone: boolean;
    /** numbers of the versions that went (all of them: `gone`), or out of which a value was taken */
    versions: number[];
    here: boolean;
    remote: boolean;
  }[];
  /** refs of the remote that are no handoff's: `gone` for its name, or the value was taken out of it (an index) */
  refs: { ref: string; gone: boolean }[];
  /** of `handoffs`, those that are gone only because the value stands where nothing can be edited */
  uneditable: string[];
  /** handoffs that went on from what is gone: they stay, with their own copy of the conversation, and no longer name where it came from */
  goOn: string[];
  /** refs that the remote does not let this user change or that could not be looked at; they still hold it */
  refused: { ref: string; reason: string }[];
  /** refs of the remote under other names that point at what was purged */
  reachable: string[];
  /** other remotes that had it, as far as this clone knows: name or URL */
  elsewhere: string[];
  /** how many more had it of which this clone has forgotten the address */
  forgotten: number;
  /** this clone's own settings that hold the value; they are left to the user */
  settings: string[];
}

/** A remote as the user's git knows it: `name` in their repository, or a URL of its own. */
export interface Remote {
  name?: string;
  url: string;
  /** where git sends to, where that is not just `url` */
  pushUrls?: readonly string[];
  /** where relay refs live there: refs/relay (default) or refs/heads/relay */
  namespace?: string;
}

/** An object that a send would transfer. `path`: where it stands in its version, for blobs; "" for commits and trees. */
export interface OutgoingObject {
  id: string;
  type: 'commit' | 'tree' | 'blob';
  path: string;
  handoff: string;
}

/** A version that a remote has. */
export interface SentVersion {
  handoff: string;
  version: number;
  commit: string;
  /** ids of its blobs, each once */
  blobs: string[];
}

export interface SendResult {
  sent: { handoff: string; commit: string; n: number }[];
  /** bytes that git reports as sent, 0 when everything was there already */
  bytes: number;
}

/** Index card: what lists need, ~250 bytes. */
export interface HandoffCard {
  handoff: string;
  version: number;
  commit: string;
  agent: string;
  session: string;
  title: string;
  author: string;
  records: number;
  updated: string;
  /** own: made in this clone; fetched: its objects are here; remote: only the card is here; gone: no longer on the remote */
  state: 'own' | 'fetched' | 'remote' | 'gone';
  /** who purged an own one as a whole, and when: it is kept here and never sent */
  purged?: { by: string; at: string };
}

export interface VersionInfo {
  version: number;
  commit: string;
  date: string;
  records: number;
  bytes: number;
  redactions: number;
  /** true: never sent, and the session has become shorter since; it is kept in this clone only */
  replaced?: boolean;
}

/** What `build` answers. Everything in it must be redacted already. */
export interface NewVersion {
  /** session.json, without the fields that the store fills in (handoff, version, streams, card). JSON object. */
  manifest: Record<string, unknown>;
  /** files.json. JSON value. */
  files: unknown;
  /** Opaque, kept locally beside the store for the next `build` of this session; never committed. */
  state: unknown;
  /** index card fields */
  card: { agent: string; session: string; title: string; author: string; updated: string };
  /**
   * True: what the source said before was changed or taken out, so versions that were never sent must not be sent any more: this one
   * goes on from the last that was. Has an effect only when no stream keeps records.
   */
  replacesUnsent?: boolean;
  /** Commit id of the version that a first version goes on from (a fork). */
  parent?: string;
  /** first line of the commit message */
  subject: string;
  trailers: Record<string, string>;
}

export interface VersionWriter {
  /** A stream that goes on after its first `keep` records of the stored version (0: from the beginning). Lines without line feed. `header` is the stream's first line, which counts as no record. */
  stream(name: string, keep: number, header: string): { write(line: string): void };
  /** Stores an attachment, answers its sha256. */
  attachment(bytes: Buffer): string;
  /** Resolves when git has taken in what was written. Awaited now and then (once a chunk of source), it keeps memory bounded. */
  drained(): Promise<void>;
}

export interface StoredVersion {
  handoff: string;
  commit: string;
  n: number;
  manifest: Record<string, unknown>;
  files: unknown;
  /** what `build` answered as `state` for exactly this commit, else null */
  state: unknown;
  streams: { name: string; records: number }[];
  /** Record lines of a stream (without header line), from record number `from` on. */
  lines(stream: string, from?: number): AsyncIterable<string>;
  /** Content of an attachment; not-found error when the store lacks it. */
  attachment(sha256: string): Promise<Buffer>;
}
