import type { Action, Outcome } from '#session/action.ts';

/**
 * What a session says and shows, in the order in which it happened: the active branch only, from its first entry on, whatever was compacted.
 * Everything that a brief, an answer or a reading version states is taken from here and names where.
 */
export interface Evidence {
  source: Source;
  /** what the person and the model said to each other: cited as #n */
  statements: Statement[];
  /** what the model was given beside that: summaries, instructions, reminders, environment. Nobody's request: cited as S#n */
  supporting: Supporting[];
  /** what the model did: cited as E#n */
  operations: Operation[];
  turns: Turn[];
  /** messages that are on abandoned branches, and are not here */
  abandoned: number;
  /** how often the conversation was compacted, and whether the last summary is sealed by its provider */
  compactions: number;
  sealed: boolean;
}

/** The session that the evidence is of. */
export interface Source {
  /** as people call it, e.g. Claude Code */
  agent: string;
  session: string;
  title: string;
  /** working directory as the session last named it */
  cwd: string;
  /** ISO 8601; "" where nothing has a time */
  last: string;
}

/** Where something stands: a record of a stream, and its place among all that is in the evidence (later is greater). */
export interface Place {
  stream: string;
  record: number;
  order: number;
  /** number of the turn, from 1; 0: before the first request */
  turn: number;
  /** ISO 8601 */
  time?: string;
}

export interface Statement {
  /** #n, from 1 */
  n: number;
  by: 'user' | 'assistant';
  /** as it was said; images and files as a short note in brackets */
  text: string;
  at: Place;
  /** the operation whose result it stands in: an answer to a question, the reason of a refusal */
  operation?: number;
}

export interface Supporting {
  /** S#n, from 1 */
  n: number;
  /** summary: the client's own, of a compaction. agent: a report of another agent. Others: what the client put in. */
  kind: 'summary' | 'agent' | 'system' | 'context';
  text: string;
  at: Place;
}

export interface Operation {
  /** E#n, from 1 */
  n: number;
  /** the tool's own name */
  tool: string;
  /** what was asked for, in one piece of text: a command, a path, a question */
  what: string;
  actions: Action[];
  /** Of what it started, the last that is known: where a later call waited for it, that call's. */
  outcome: Outcome;
  at: Place;
  /** where it ended, as far as that is known: later than `at` for what went on meanwhile */
  ended: Place;
}

/** One request of a person and what followed until the next. */
export interface Turn {
  n: number;
  /** How it ended: with an answer (complete), stopped by the person (interrupted), by an error or a usage limit, or not at all: nothing follows (open). */
  ended: 'complete' | 'interrupted' | 'failed' | 'limit' | 'open';
  /** what the client said about that, e.g. the error */
  reason?: string;
}
