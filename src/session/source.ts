/** The outside world an adapter may look at. Passed in, so that tests need no global state. */
export interface Where {
  env: Record<string, string | undefined>;
  /** the user's home folder */
  home: string;
  /** Folders named in relay's own settings for this agent, looked at after the environment and before the usual places. */
  roots?: string[];
}

/** What a list shows of a session; cheap to get: head and tail of its file at most. */
export interface SessionCard {
  agent: string;
  /** the client's own id */
  id: string;
  title: string;
  /** the working directory as recorded; "" where the source names none */
  cwd: string;
  /** the main file */
  path: string;
  /** ISO 8601 */
  created: string;
  updated: string;
  /** version of the client that wrote it, where known */
  version?: string;
  branch?: string;
  model?: string;
}

/** One JSONL file of a session. `main` is the conversation; side streams are named `agent/<id>`, `base/<id>`. */
export interface SourceStream {
  name: string;
  path: string;
  /** only the first so many bytes belong to the session (a fork that refers to its parent's file) */
  end?: number;
}

/** A file that lies beside the transcript and belongs to the session, e.g. tool-results/x.txt. `name` is relative, with forward slashes. */
export interface SourceFile {
  name: string;
  path: string;
}

/** Everything on disk that makes up one session. */
export interface SessionSource extends SessionCard {
  streams: SourceStream[];
  files: SourceFile[];
  /** what lies there too and is left behind, in words, e.g. "file history (3 files)" */
  leftOut: string[];
}
