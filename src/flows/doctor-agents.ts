import type { Adapter } from '#adapters/adapter.ts';
import { adapters } from '#adapters/registry.ts';
import { versionOf } from '#lib/installed.ts';
import type { SessionCard } from '#session/source.ts';
import type { HandoffCard } from '#store/types.ts';
import type { Check, Seen } from './doctor.ts';
import { localSessions } from './find.ts';
import type { Recording } from './recording.ts';
import type { Status } from './status.ts';
import { recordableSessions } from './unrecorded.ts';
import type { Workspace } from './workspace.ts';

export interface AgentChecks {
  agent: string;
  checks: Check[];
}

/** @param seen of this clone; undefined outside of a repository */
export async function agentChecks(ws: Workspace, seen?: Seen): Promise<AgentChecks[]> {
  const own = seen?.status ? (await (await ws.store()).list()).filter(({ state }) => state === 'own') : [];
  const recordable = seen?.status ? await recordableSessions(ws) : [];
  return Promise.all(adapters.map((adapter) => checksOf(ws, adapter, { own, recordable }, seen)));
}

/** Of all agents. */
interface Here {
  own: readonly HandoffCard[];
  recordable: readonly SessionCard[];
}

async function checksOf(ws: Workspace, adapter: Adapter, all: Here, seen: Seen | undefined): Promise<AgentChecks> {
  const agent = adapter.id;
  const [program, sessions] = await Promise.all([programCheck(ws, adapter), localSessions(ws, { agent })]);
  const [own, recordable] = [all.own.filter((card) => card.agent === agent), all.recordable.filter((card) => card.agent === agent)];
  // Of an agent that nobody uses here there is no more to say.
  if (program.state === 'missing' && !sessions.length && !own.length) return { agent, checks: [{ ...program, fix: null }] };
  const found = `${sessions.length} of this ${seen ? 'project' : 'folder'}`;
  const here: Check = sessions.length
    ? { check: 'sessions', state: 'ok', found, fix: null }
    : { check: 'sessions', state: 'missing', found, fix: 'relay sessions --all' };
  const hooks = seen ? hookChecks(adapter, seen.recording, program) : [];
  return { agent, checks: [program, here, ...hooks, ...(seen?.status ? storeChecks(recordable.length, own, seen.status, agent) : [])] };
}

/** @param recordable sessions that would be recorded */
function storeChecks(recordable: number, own: readonly HandoffCard[], status: Status, agent: string): Check[] {
  const missing = status.unrecorded.filter((one) => one.agent === agent);
  const grown = missing.filter(({ version }) => version !== null).length;
  const recorded = recordable - (missing.length - grown);
  const unsent = own.filter(({ handoff }) => status.unsent.includes(handoff)).length;
  return [
    {
      check: 'recorded',
      state: !missing.length ? 'ok' : recorded ? 'warning' : 'missing',
      found: `${recorded} of ${recordable}${grown ? `, ${grown} of which ${grown === 1 ? 'has' : 'have'} grown since` : ''}`,
      fix: missing.length ? 'relay push --all --no-send' : null,
    },
    unsent
      ? { check: 'sent', state: 'warning', found: `${unsent} not sent yet`, fix: 'relay push' }
      : { check: 'sent', state: 'ok', found: 'all that is recorded', fix: null },
  ];
}

async function programCheck(ws: Workspace, adapter: Adapter): Promise<Check> {
  const command = ws.settings.agents[adapter.id]?.command ?? adapter.resume('', ws.cwd).command;
  const version = await versionOf(command, ws.env);
  if (version === 'absent')
    return {
      check: 'program',
      state: 'missing',
      found: `not installed here (no ${command} on the PATH)`,
      fix: `If it is elsewhere, name it in the settings: agents.${adapter.id}.command`,
    };
  if (version === undefined) return { check: 'program', state: 'warning', found: `${command} does not say its version`, fix: `${command} --version` };
  return { check: 'program', state: 'ok', found: `${command} ${version}`, fix: null };
}

function hookChecks({ id, title }: Adapter, { agents }: Recording, program: Check): Check[] {
  const hooks = agents.find(({ agent }) => agent === id);
  if (!hooks) return [];
  const { installed, runs, fix = null } = hooks;
  const told = (state: Check['state'], found: string, how: string | null): Check[] => [{ check: 'hooks', state, found, fix: how }];
  if (program.state === 'missing') return installed ? told('missing', `in place, but there is no ${title} here to call them`, null) : [];
  if (!installed) return told('missing', 'not installed: a turn is recorded only when you commit or push', `relay hooks install --agent ${id}`);
  if (runs) return told('ok', 'each turn is recorded', null);
  if (runs === undefined) return told('warning', 'installed; whether the client runs them is not known', fix);
  return told('broken', 'installed, and the client does not run them', fix);
}
