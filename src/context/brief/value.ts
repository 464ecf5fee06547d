/** What the next agent, and a person, should know of a session: every point in the session's own words and with the places that say so. */
export interface Brief {
  source: { agent: string; session: string; cwd: string; last: string };
  requests: Point[];
  /** what binds, and what was decided, with the reason */
  decisions: Point[];
  /** what was proposed or tried and ruled out, with the reason */
  rejected: Point[];
  files: FilePoint[];
  errors: Point[];
  state: Point[];
  pending: Point[];
  next: Point[];
  questions: Point[];
  /** what the source lacks */
  limitations: Point[];
  /** what a person has corrected; outranks all else */
  corrections: Point[];
  checks: Check[];
}

export interface Point {
  text: string;
  /** #n a statement, S#n supporting text, E#n an operation (see Evidence), in order */
  cites: string[];
  /** Whose words these are; `relay` where a rule has put them together. document: pasted by the user. agent: another agent's report. */
  origin: 'user' | 'assistant' | 'operation' | 'document' | 'agent' | 'summary' | 'relay';
  /** what is to be thought of it, e.g. (superseded by #7), (to be confirmed), (claimed, not shown); "" where nothing */
  mark: string;
}

/** A file by its net state over the session. */
export interface FilePoint extends Point {
  path: string;
  /** none: changed and taken back, or made and deleted again */
  state: 'read' | 'created' | 'changed' | 'deleted' | 'renamed' | 'none';
  /** the former path of a renamed one */
  from?: string;
}

/** The last run of a test, build, check or measurement. */
export interface Check {
  command: string;
  /** E#n */
  cite: string;
  record: { stream: string; record: number };
  result: 'passed' | 'failed' | 'running' | 'unknown';
  /** figures of its output that say how it went, as they stand there, e.g. ["42 passed", "1 failed"] */
  numbers: string[];
  /** false: files were changed after it */
  afterLastEdit: boolean;
}
