import { join } from 'node:path';
import { adapterById } from '#adapters/registry.ts';
import { loadLocal, readStreams } from '#flows/load.ts';
import type { Conversation } from '#session/conversation.ts';
import { claudeTurns, codexTurns, writeLines } from './generate.ts';
import { growTurns } from './grow.ts';
import { lab } from './lab.ts';
import { type Agent, dashed, type LaidOut, put } from './layout.ts';

export interface MadeOptions {
  turns?: number;
  resultSize?: number;
  id?: string;
  /** lines in place of generated turns (after the first line of a Codex rollout) */
  lines?: (object | string)[];
  /** recorded working directory, where it is not the one the session is listed under */
  recorded?: string;
}

const ID = '01a22c35-2c91-79b0-a0af-b94749a2e016';

/** A session as its client would have left it in `home`, begun in `cwd`. */
export function makeSession(agent: Agent, home: string, cwd: string, options: MadeOptions = {}): LaidOut {
  const { turns = 3, resultSize = 300, id = ID, lines, recorded = cwd } = options;
  const path =
    agent === 'claude-code'
      ? join(home, '.claude/projects', dashed(cwd), `${id}.jsonl`)
      : join(home, `.codex/sessions/2026/03/01/rollout-2026-03-01T08-00-00-${id}.jsonl`);
  put(path, '');
  const meta = JSON.stringify({
    timestamp: '2026-03-01T08:00:00.000Z',
    type: 'session_meta',
    payload: {
      id,
      timestamp: '2026-03-01T08:00:00.000Z',
      cwd: recorded,
      originator: 'codex_cli_rs',
      cli_version: '0.171.0',
      source: 'cli',
      model_provider: 'openai',
    },
  });
  const shape = { sessionId: id, cwd: recorded, turns, resultSize };
  const body = lines?.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))) ?? (agent === 'codex' ? codexTurns(shape) : claudeTurns(shape));
  writeLines(path, agent === 'codex' ? [meta, ...body] : body);
  return { agent, id, path, home, cwd, moved: (text) => text };
}

export interface BeginOptions extends MadeOptions {
  agent?: Agent;
  /** files of the project's first commit */
  files?: Record<string, string>;
  /** object format of the repositories */
  format?: string;
}

/** How relay calls the made sessions. */
export const CLAUDE = `claude-code:${ID}`;
export const CODEX = `codex:${ID}`;

/** Ann with a project, a remote, and a session of hers in it. */
export function begun(options: BeginOptions = {}) {
  const made = lab();
  const ann = made.person('ann');
  const remote = made.bare('team', options.format);
  const cwd = made.project(ann, 'ann/proj', remote, options.files);
  return { lab: made, ann, remote, cwd, session: makeSession(options.agent ?? 'claude-code', ann.home, cwd, options) };
}

/** Lets an imported session go on, as its own client would. */
export const goOn = (imported: { agent: Agent; session: string; path: string; resume: { cwd: string } }, turns: number, step: number): void =>
  growTurns({ agent: imported.agent, id: imported.session, path: imported.path, cwd: imported.resume.cwd }, turns, step);

/** What a session file says, read by its agent's adapter. */
export async function conversationAt(agent: Agent, path: string): Promise<Conversation> {
  const adapter = adapterById(agent);
  if (!adapter) throw new Error(`no adapter ${agent}`);
  return adapter.conversation(await readStreams(loadLocal(await adapter.open({ env: {}, home: '/nonexistent' }, path), adapter)));
}

/** Texts of what people and the model said, in order. */
export const spoken = ({ entries }: Conversation): string[] =>
  entries.filter((e) => e.origin === 'person' || e.origin === 'model').flatMap((e) => e.content.flatMap((b) => (b.type === 'text' ? [b.text] : [])));

/** One line of a Claude Code session. */
export const claudeLine = (type: 'user' | 'assistant', content: unknown, uuid: string, parentUuid: string | null, more: object = {}): object => ({
  parentUuid,
  isSidechain: false,
  type,
  message: type === 'user' ? { role: 'user', content } : { id: `msg_${uuid}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content },
  uuid,
  timestamp: '2026-03-01T08:00:00.000Z',
  userType: 'external',
  entrypoint: 'cli',
  sessionId: ID,
  version: '2.1.332',
  ...more,
});
