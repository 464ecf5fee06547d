/**
 * What a tool call does, told without any client's own names. One call may do several things (a script of code mode).
 * Adapters say it of their own tools (Adapter.actions); whoever reads a session needs to know none of them.
 */
export type Action =
  /**
   * a command of a shell, as it was typed; `cwd` where the call names one. `shell`: it was given to the one shell that the client keeps, so it began where the
   * command before left that; kept: and so does the next, else the folder where the client says that the shell goes on
   */
  | { kind: 'run'; command: string; cwd?: string; shell?: 'kept' | string }
  | { kind: 'change'; files: FileChange[] }
  | { kind: 'read'; paths: string[] }
  /** looks for files, text or pages; `text` what for */
  | { kind: 'search'; text: string }
  /** a page or another resource outside the project */
  | { kind: 'fetch'; text: string }
  /** the whole to-do list, in place of the one before */
  | { kind: 'plan'; items: PlanItem[] }
  /** one to-do more; `id` as later updates name it, where the call knows it already */
  | { kind: 'plan-add'; item: PlanItem }
  /** changes to one to-do; undefined fields stay as they were */
  | { kind: 'plan-update'; id: string; text?: string; state?: PlanState }
  /** another agent is given a task */
  | { kind: 'delegate'; task: string }
  /** the person is asked; what is answered stands in the outcome (`said`) */
  | { kind: 'ask'; questions: AskedQuestion[] }
  /** a proposal that the person accepts or refuses (plan mode) */
  | { kind: 'propose'; text: string }
  /** waits for, or looks at, something that an earlier call started; `of` as that outcome's `running` names it, "" for whatever comes first. `typed`: what it was given to read */
  | { kind: 'wait'; of: string; typed?: string }
  | { kind: 'stop'; of: string }
  /** none of these, or nobody can tell; `text` what was asked for, "" where nothing was */
  | { kind: 'other'; text: string };

/** As the call names the path. `to`: the new path of a renamed one. */
export interface FileChange {
  path: string;
  change: 'created' | 'changed' | 'deleted' | 'renamed';
  to?: string;
  /** the texts that were replaced, each with what stands there now, where the call holds both: tells an edit that takes back an earlier one */
  swaps?: [before: string, after: string][];
}

export type PlanState = 'open' | 'active' | 'done' | 'dropped';

export interface PlanItem {
  id?: string;
  text: string;
  state: PlanState;
}

export interface AskedQuestion {
  text: string;
  options: string[];
}

/** How a call ended, as far as its result says. */
export interface Outcome {
  /**
   * done: it ended without complaint. failed: it ended with one. running: it was started and goes on. refused: it was not let run.
   * aborted: it was stopped before its end, perhaps before its beginning. none: there is no result, or none that anyone knows.
   */
  state: 'done' | 'failed' | 'running' | 'refused' | 'aborted' | 'none';
  /** who refused it (state refused): the person, or a rule, whose words are the output */
  by?: 'user' | 'rule';
  /** exit code of a command */
  exit?: number;
  /** under what name later calls ask for it (state running) */
  running?: string;
  /** what came out, without what the client wraps around it; "" where there is nothing */
  output: string;
  /** what the person said in it: an answer to a question, the reason of a refusal */
  said?: string;
  /** one answer for each question of an `ask`, in their order; "" where there is none */
  answers?: string[];
  /** Where one call does several things and its result tells them apart: how each of its actions ended, in their order. */
  parts?: Outcome[];
  /** id that a to-do got (plan-add) */
  item?: string;
}

/** What the client tells the model of something that went on meanwhile: a background command that ended, a report of another agent. */
export interface Report {
  /** ids that name what it is about: of the call that started it, or as its outcome names it (`running`) */
  of: string[];
  state: 'done' | 'failed' | 'aborted' | 'running';
  output: string;
  /** true: another agent's words */
  agent: boolean;
}
