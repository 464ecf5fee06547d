import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import type { Adapter } from '#adapters/adapter.ts';
import { adapterById, adapters } from '#adapters/registry.ts';
import { cut } from '#lib/cut.ts';
import { RelayError } from '#lib/errors.ts';
import type { SessionCard } from '#session/source.ts';
import type { HandoffCard } from '#store/types.ts';
import { belongingTo } from './nested.ts';
import { needRepository, type Workspace, whereOf } from './workspace.ts';

/** What a name on the command line can mean. */
export type Found = { kind: 'local'; adapter: Adapter; card: SessionCard } | { kind: 'handoff'; card: HandoffCard; version?: number };

/** This project's sessions on this machine, newest first; `all`: of every project. */
export async function localSessions(ws: Workspace, options: { all?: boolean; agent?: string } = {}): Promise<SessionCard[]> {
  const chosen = options.agent ? [needAdapter(options.agent)] : adapters;
  const folders = ws.repository ? ws.repository.workTrees : [ws.cwd];
  const filters = options.all ? [undefined] : folders.map((cwd) => ({ cwd }));
  const lists = await Promise.all(chosen.flatMap((adapter) => filters.map((filter) => adapter.list(whereOf(ws, adapter.id), filter))));
  const byPath = new Map(lists.flat().map((card) => [card.path, card]));
  const isHere = options.all || !ws.repository ? () => true : belongingTo(ws.repository);
  return [...byPath.values()].filter(isHere).sort((a, b) => (a.updated < b.updated ? 1 : -1));
}

export function needAdapter(id: string): Adapter {
  const adapter = adapterById(id);
  if (adapter) return adapter;
  throw new RelayError('usage', `No agent is called ${id}.`, `Known agents: ${adapters.map((a) => a.id).join(', ')}.`);
}

/**
 * A local session by agent:id, id, unique id prefix, title, `latest`, or the path of its file.
 * Ids and titles are looked for in every project; `latest` means the newest of this one.
 */
export async function findLocal(ws: Workspace, name: string): Promise<{ adapter: Adapter; card: SessionCard }> {
  if (name === 'latest') return pick((await localSessions(ws)).slice(0, 1), name, ws);
  if (looksLikePath(name)) {
    const path = isAbsolute(name) ? name : resolve(ws.cwd, name);
    if (await exists(path)) return openPath(ws, path);
  }
  const [agent, id] =
    name.includes(':') && adapterById(name.slice(0, name.indexOf(':')))
      ? [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)]
      : [undefined, name];
  const cards = await localSessions(ws, { all: true, ...(agent ? { agent } : {}) });
  return pick(matching(cards, id), name, ws);
}

const looksLikePath = (name: string): boolean => name.includes('/') || name.endsWith('.jsonl') || name === '.';
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Exact id, else exact title, else id prefix. */
function matching(cards: SessionCard[], name: string): SessionCard[] {
  const tests: ((c: SessionCard) => boolean)[] = [(c) => c.id === name, (c) => c.title === name, (c) => name.length >= 4 && c.id.startsWith(name)];
  for (const test of tests) {
    const hits = cards.filter(test);
    if (hits.length) return hits;
  }
  return [];
}

function pick(cards: SessionCard[], name: string, ws: Workspace): { adapter: Adapter; card: SessionCard } {
  const [card, second] = cards;
  if (!card) {
    const place = ws.repository ? ws.repository.workTrees[0] : ws.cwd;
    throw new RelayError(
      'not-found',
      name === 'latest' ? `No agent on this machine has a session for ${place}.` : `No session is called ${name}.`,
      'relay sessions --all lists what there is.',
    );
  }
  if (second)
    throw new RelayError(
      'ambiguous',
      `${name} could be ${cards
        .map((c) => `${c.agent}:${c.id} (${cut(c.title, 80)})`)
        .slice(0, 5)
        .join(' or ')}.`,
      'Type agent:id.',
    );
  return { adapter: needAdapter(card.agent), card };
}

/** Opens a session file or folder by whichever adapter understands it. */
async function openPath(ws: Workspace, path: string): Promise<{ adapter: Adapter; card: SessionCard }> {
  const complaints: RelayError[] = [];
  for (const adapter of adapters) {
    try {
      return { adapter, card: await adapter.open(whereOf(ws, adapter.id), path) };
    } catch (error) {
      if (!(error instanceof RelayError)) throw error;
      complaints.push(error);
    }
  }
  const holdsNone = complaints.every((c) => c.code === 'not-found') && (await stat(path).catch(() => undefined))?.isDirectory();
  if (holdsNone)
    throw new RelayError(
      'not-found',
      `${path} holds no session of an agent that relay knows.`,
      'Name the session’s file; relay sessions --all lists what there is.',
    );
  // The complaint that says most: a known agent's file of an unknown format, rather than "no session there".
  throw complaints.find((c) => c.code === 'unknown-format') ?? complaints[0] ?? new RelayError('not-found', `There is no session at ${path}.`);
}

/** `ann@2` -> ann, version 2. */
function parsedName(name: string): { base: string; version?: number } {
  const [, base = name, at] = /^(.*?)(?:@(\d+))?$/s.exec(name) ?? [];
  return at ? { base, version: Number(at) } : { base };
}

/** Whether a name means the newest one, whatever that is called. */
export const isLatest = (name: string): boolean => parsedName(name).base === 'latest';

/** A handoff by `<writer>/<session>[@n]`, session ref, native id (prefix) or title; with `@n` at its end version n of it. */
export function findHandoff(cards: HandoffCard[], name: string): { card: HandoffCard; version?: number } | undefined {
  const { base, ...version } = parsedName(name);
  const short = (c: HandoffCard) => c.handoff.slice(c.handoff.indexOf('/') + 1);
  const id = base.includes(':') ? base.slice(base.indexOf(':') + 1) : base;
  const tests: ((c: HandoffCard) => boolean)[] = [
    (c) => c.handoff === base,
    (c) => short(c) === base,
    (c) => c.session === id,
    (c) => c.title === base,
    (c) => id.length >= 4 && c.session.startsWith(id),
    (c) => base.length >= 2 && c.handoff.startsWith(base),
  ];
  // A title may end like the number of a version.
  const titled = base === name ? [] : cards.filter((c) => c.title === name);
  if (titled.length === 1) return { card: titled[0] as HandoffCard };
  for (const test of tests) {
    const hits = cards.filter(test);
    if (hits.length > 1)
      throw new RelayError(
        'ambiguous',
        `${name} could be ${hits
          .map((c) => `${c.handoff} (${cut(c.title, 80)})`)
          .slice(0, 5)
          .join(' or ')}.`,
        'Type <writer>/<session>.',
      );
    const [card] = hits;
    if (card) return { card, ...version };
  }
  return undefined;
}

/**
 * What a name means where both a local session and a handoff are possible. A name that could be both is an error.
 * @param only `handoff`: no local session is meant; `pulled`: a handoff that another clone made
 */
export async function find(ws: Workspace, name: string, only?: 'local' | 'handoff' | 'pulled'): Promise<Found> {
  const handoffs = only === 'local' || !ws.repository ? [] : await (await ws.store()).list();
  if (isLatest(name)) return newest(ws, parsedName(name), handoffs, only);
  const notLocal = only === 'handoff' || only === 'pulled';
  if (!ws.repository && (notLocal || /^[^/]+\/[^/]+$/.test(name)) && !(await exists(resolve(ws.cwd, name)))) needRepository(ws);
  const handoff = findHandoff(only === 'pulled' ? handoffs.filter((h) => h.state !== 'own') : handoffs, name);
  const asHandoff = handoff && ({ kind: 'handoff', ...handoff } as const);
  if (notLocal || (asHandoff && asHandoff.card.handoff === name.replace(/@\d+$/, ''))) {
    if (asHandoff) return asHandoff;
    throw new RelayError('not-found', `No handoff is called ${name}.`, 'relay pull fetches what teammates pushed; relay list shows it.');
  }
  const local = await findLocal(ws, name).catch((error: unknown) => {
    if (asHandoff && error instanceof RelayError && error.code === 'not-found') return undefined;
    throw error;
  });
  if (!local) return asHandoff as Found;
  // A session's own handoff is the same conversation: the local one is at least as new.
  if (!asHandoff || asHandoff.card.session === local.card.id) return { kind: 'local', ...local };
  throw new RelayError(
    'ambiguous',
    `${name} is both the local session ${local.card.agent}:${local.card.id} and the handoff ${asHandoff.card.handoff}.`,
    'Type one of these names, or add --local or --pulled.',
  );
}

async function newest(ws: Workspace, { version }: { version?: number }, handoffs: HandoffCard[], only?: 'local' | 'handoff' | 'pulled'): Promise<Found> {
  // One's own handoff is the local session over again; only where handoffs are asked for does it count.
  const others = handoffs.filter((h) => only === 'handoff' || h.state !== 'own').sort((a, b) => (a.updated < b.updated ? 1 : -1));
  // Only handoffs have versions.
  const [card] = only === 'handoff' || only === 'pulled' || version !== undefined ? [] : await localSessions(ws);
  const [handoff] = others;
  if (!handoff && (only === 'handoff' || only === 'pulled')) {
    needRepository(ws);
    throw new RelayError(
      'not-found',
      only === 'pulled' ? 'No handoff of anybody else is known here.' : 'No handoffs are known here.',
      'relay pull fetches those of teammates.',
    );
  }
  if (handoff && (!card || handoff.updated > card.updated)) return { kind: 'handoff', card: handoff, ...(version === undefined ? {} : { version }) };
  return { kind: 'local', ...pick(card ? [card] : [], 'latest', ws) };
}
