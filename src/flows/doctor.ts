import type { RelayError } from '#lib/errors.ts';
import { type AgentChecks, agentChecks } from './doctor-agents.ts';
import { repositoryChecks, storeCheck } from './doctor-repository.ts';
import type { Recording } from './recording.ts';
import { type Status, statusOf } from './status.ts';
import type { Workspace } from './workspace.ts';

/** Something that was looked at. */
export interface Check {
  check: string;
  /** `missing`: it is not there, and need not be */
  state: 'ok' | 'warning' | 'broken' | 'missing';
  /** in words */
  found: string;
  /** a command, or a step in words */
  fix: string | null;
}

/** `doctor --json`. */
export interface Diagnosis {
  repository: Check[];
  agents: AgentChecks[];
}

/** What was found of a clone. */
export interface Seen {
  recording: Recording;
  store: Check;
  /** unknown where the store is broken */
  status?: Status;
}

export interface DoctorOptions {
  /** ask the remote whether it can be reached */
  remote?: boolean;
}

/**
 * Looks at everything that relay needs here, and changes nothing. Never reaches the network unless it is asked to.
 * @param recordingOf what records sessions here by itself
 */
export async function diagnose(ws: Workspace, recordingOf: () => Promise<Recording>, options: DoctorOptions): Promise<Diagnosis> {
  if (!ws.repository) {
    const none: Check = { check: 'repository', state: 'missing', found: `${ws.cwd} is in no Git repository`, fix: 'Run it in the project’s checkout.' };
    return { repository: [none], agents: await agentChecks(ws) };
  }
  const [recording, store] = await Promise.all([recordingOf(), storeCheck(ws)]);
  // A store that is damaged cannot be asked what is in it.
  const seen: Seen = { recording, store, ...(store.state === 'broken' ? {} : { status: await statusOf(ws, recording) }) };
  const [repository, agents] = await Promise.all([repositoryChecks(ws, seen, options), agentChecks(ws, seen)]);
  return { repository, agents };
}

/** Where the settings cannot be read, or git refuses the repository, nothing else can be looked at. */
export const unreadable = ({ code, message, hint }: RelayError): Diagnosis => ({
  repository: [{ check: code === 'config' ? 'settings' : 'repository', state: 'broken', found: message, fix: hint ?? null }],
  agents: [],
});

export const isBroken = ({ repository, agents }: Diagnosis): boolean =>
  [...repository, ...agents.flatMap(({ checks }) => checks)].some(({ state }) => state === 'broken');
