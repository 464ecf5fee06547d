import type { JsonObject } from '#lib/json.ts';
import type { Insertion } from '#lib/json-edit.ts';
import type { Action, Outcome, Report } from '#session/action.ts';
import type { Conversation, Entry, Fitted, Streams } from '#session/conversation.ts';
import type { Loss } from '#session/loss.ts';
import type { Draft, SessionRecord, ToolCall, ToolResult } from '#session/record.ts';
import type { Slots } from '#session/slot.ts';
import type { SessionCard, SessionSource, Where } from '#session/source.ts';

/**
 * An adapter teaches relay one agent. All that is known of an agent lives in its folder: where its sessions lie,
 * what its records mean, which of them its client would resume, how a session must be written so that the client
 * lists, shows and resumes it. It imports `#session/*` and `#lib/*` only, never another adapter, and it never prints.
 *
 * To add one, copy `_template/`, record a genuine session as a fixture first, and add it to `registry.ts`.
 */
export interface Adapter {
  /** as typed on the command line, e.g. claude-code */
  id: string;
  /** as people call it, e.g. Claude Code */
  title: string;

  /**
   * Sessions on this machine, newest first: environment variable, then `where.roots`, then the usual places.
   * `cwd` keeps those whose recorded cwd is that folder or lies below it. An agent that is not installed gives none.
   */
  list(where: Where, filter?: { cwd?: string }): Promise<SessionCard[]>;

  /**
   * What makes up the session at `path` (a file, or a folder holding one). Throws RelayError `not-found` when there is no
   * session there, and `unknown-format` (naming agent, version and record type) when nothing in it can be understood.
   * @param how `brief`: at most 32 KB of the main file are read, so the title, the branch and the model are those of its beginning, and `updated` is the file's own time
   */
  open(where: Where, path: string, how?: { brief?: boolean }): Promise<SessionSource>;

  /** The main file of the session with this id, found by its name alone; undefined: there is none on this machine. */
  locate(where: Where, id: string): Promise<string | undefined>;

  /** The canonical record for one source record. Pure and by line: it sees no other record. Unknown types become `event` of kind `unknown` with data {name}. */
  draft(value: JsonObject): Draft;

  /**
   * What may be done with a string of a source record. `kept`: an id, a time, a signature, a sealed blob, by position AND shape.
   * `fixed`: by position an id, a role, a type or a time, but of another shape. undefined: content.
   * @param path JSON path from the record's root, e.g. ["message", "content", 0, "signature"]
   */
  slot: Slots;

  /** Files that a record says were read or changed, as written there (absolute, or relative to the cwd). */
  touched(record: SessionRecord): Touch[];

  /** What a call of this client's tools does; of some only the result says it. Of a tool that is not its own: undefined. Never throws. */
  actions(call: ToolCall, result?: ToolResult): Action[] | undefined;

  /**
   * How the call ended. `result` undefined: there is none on record. Of a tool that is not its own: undefined, unless the result is
   * in a form that no other client has, as an imported session keeps it. Never throws.
   */
  outcome(call: ToolCall, result: ToolResult | undefined): Outcome | undefined;

  /** What a text that this client puts into the conversation says of something that went on meanwhile. Any other text: undefined. Never throws. */
  report(text: string): Report | undefined;

  /** How a text begins by which this client notes in the conversation that the person stopped it. Absent where it leaves none. */
  stopped?: RegExp;

  /** The active branch: what this client would resume. Needs no `native`. */
  conversation(streams: Streams): Conversation;

  /** Context window and reserve in tokens: the client configuration's own figure when known, else a default. */
  window(where: Where): Promise<{ tokens: number; reserve: number; maxItems: number; maxBytes: number }>;

  /** The files of a new session made from a conversation of any agent. Writes nothing itself. */
  write(input: WriteInput): Promise<Written>;

  /** The files of a session of this same agent, byte for byte but for ids, cwd and what the loss report names. */
  restore(input: RestoreInput): Promise<Written>;

  /** What a person types to go on with a session of this agent. */
  resume(session: string, cwd: string): Resume;

  /** How this client tells relay what happens in its sessions. undefined: it has no hooks. */
  hooks?: AgentHooks;

  /** How full the model's context was at the last answer. Reads the end of the session only. undefined: no answer yet. */
  contextUse?(where: Where, session: Pick<SessionSource, 'path' | 'streams'>): Promise<ContextUse | undefined>;

  /**
   * Tells the installed client the name of a session whose `namedByClient` is set. Must not make it reach the network.
   * undefined: the client is not installed, or does not answer.
   */
  confirm?(where: Where, written: Written): Promise<{ listed: boolean; title?: string } | undefined>;
}

/** The hooks of an agent's client, in the user's own settings file of that client. */
export interface AgentHooks {
  /** the variable in which the client says to the programs that it starts which session they belong to */
  variable: string;
  /** how the client's process is called, for the case that one client runs in another */
  process: RegExp;
  file(where: Where): string;
  /** What to insert into the file so that relay's hooks stand in it; nothing where they do. `undefined`: no file yet. RelayError `usage` for a file of another shape than the client's. */
  install(text: string | undefined): Insertion[];
  /** The file without them; undefined: nothing else stands in it. RelayError as above. */
  uninstall(text: string): string | undefined;
  /** Are they in the file, and does the client run them? */
  state(where: Where, cwd: string): Promise<HookState>;
  /** What a payload of the client says. undefined: it is none of this client's. Told by the payload alone. */
  event(payload: JsonObject): AgentEvent | undefined;
}

export interface HookState {
  installed: boolean;
  /** false: the client does not run them; undefined: it cannot be asked */
  runs?: boolean;
  /** what to do about it, in words */
  fix?: string;
}

/** Something that happened in a session, as its client told it. */
export interface AgentEvent {
  /** the client's own name of it, e.g. Stop */
  name: string;
  session: string;
  /** the session's main file, where told */
  path?: string;
  cwd: string;
}

/** Tokens that the model read last, of those that it can read. */
export interface ContextUse {
  tokens: number;
  window: number;
}

export interface Touch {
  path: string;
  change: 'read' | 'changed';
}

/** Where an imported session is to live. */
export interface Target {
  where: Where;
  /** real path of the working directory that the session shall continue in */
  cwd: string;
  /** new session id (UUIDv7); entry ids are derived from it */
  id: string;
  title: string;
  /** branch checked out in cwd, if any */
  branch?: string;
  now: Date;
}

interface Import {
  target: Target;
  /** the session that is imported: its agent, id, title, times, version */
  card: SessionCard;
  /** What must be said to the model first: working directory, drift, provenance. "" where there is nothing to say. */
  orientation: string;
}

export interface WriteInput extends Import {
  fitted: Fitted;
}

export interface RestoreInput extends Import {
  /** Stream names in the order they were stored. */
  streams: string[];
  /** The records of a stream, with `native`; may be read more than once. */
  records(stream: string): AsyncIterable<SessionRecord>;
  /** true: secrets were taken out of it, and placeholders stand where the client may expect something else */
  redacted?: boolean;
  /** Files that lay beside the transcript. */
  files: { name: string; read(): Promise<Buffer> }[];
  /**
   * Asked once the last line of the session was taken: what to add as the client's own checkpoint when the session is too
   * large for the model's window, else undefined.
   */
  checkpoint(): Promise<Fitted | undefined>;
  /** What was said afterwards in another agent's session: it follows the last line, for people and for the model. */
  more?: { card: SessionCard; entries: Entry[] };
}

/** A file to be put in place by the flow: temporary file, fsync, rename, mode 0600. Lines come without line feed. */
export interface OutFile {
  path: string;
  lines?: Iterable<string | Buffer> | AsyncIterable<string | Buffer>;
  bytes?: () => Promise<Buffer>;
  /** false: no line feed after the last line */
  eol?: boolean;
  /** modification time to set; default now */
  mtime?: Date;
}

export interface Written {
  /** Main file last, so that a half-done import shows no session. */
  files: OutFile[];
  /** Lines to append to files that the client shares between sessions (such as its index of names). */
  appends: { path: string; line: string }[];
  /** Filled while `files` are drained: complete only after the last line was taken. */
  loss: Loss[];
  session: string;
  path: string;
  resume: Resume;
  /** true: this client takes the session's name only from a call of its own (see Adapter.confirm). Set while `files` are drained. */
  namedByClient?: boolean;
}

/** A program to start in `cwd`, as an argument list, never a shell string. */
export interface Resume {
  command: string;
  args: string[];
  cwd: string;
}
