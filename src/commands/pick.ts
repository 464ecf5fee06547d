import { adapterById, adapters } from '#adapters/registry.ts';
import { needAccepted } from '#flows/accepted.ts';
import { workspace } from '#flows/context.ts';
import { type Found, localSessions, needAdapter } from '#flows/find.ts';
import { choose } from '#io/ask.ts';
import type { Io } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { ago, safeLine, safeTitle, shortIds } from '#report/index.ts';
import type { SessionCard } from '#session/source.ts';
import type { HandoffCard } from '#store/types.ts';
import { runImport } from './run-import.ts';

/** More than this is no list to pick from. */
const SHOWN = 50;

/** relay alone, or relay import without a name: pick a session and an agent on a terminal. */
export async function pick(io: Io, options: { json?: boolean; to?: string } = {}): Promise<number> {
  if (!io.interactive || options.json)
    throw new RelayError(
      'usage',
      'Say which session: relay import <session or handoff> --to <agent>.',
      'relay sessions and relay list show what there is; relay --help shows all commands.',
    );
  const ws = await workspace(io);
  needAccepted(ws, 'import');
  const cards = await localSessions(ws);
  const handoffs = ws.repository ? (await (await ws.store()).list()).filter((h) => h.state !== 'own') : [];
  const rows = [...localRows(cards), ...handoffRows(handoffs)].sort((a, b) => (a.updated < b.updated ? 1 : -1));
  if (!rows.length)
    throw new RelayError(
      'not-found',
      'There is no session of this project on this machine, and no handoff is known here.',
      'relay pull fetches handoffs of teammates; relay sessions --all lists sessions of other projects.',
    );
  const choices = rows.slice(0, SHOWN).map((row) => ({ value: row.found, label: `${row.label}  (${ago(row.updated, io.now())})` }));
  const found = await choose(io, 'Which session?', choices);
  const targets = adapters.map((a) => ({ value: a.id, label: a.title }));
  const to = options.to ?? (await choose(io, 'Into which agent?', targets));
  return runImport(io, ws, found, { ...options, to });
}

interface Row {
  found: Found;
  updated: string;
  label: string;
}

function localRows(cards: SessionCard[]): Row[] {
  const ids = shortIds(cards.map((card) => card.id));
  return cards.map((card, i) => ({
    found: { kind: 'local', adapter: needAdapter(card.agent), card },
    updated: card.updated,
    label: `${agentTitle(card.agent)}  ${ids[i]}  ${safeTitle(card.title)}`,
  }));
}

function handoffRows(cards: HandoffCard[]): Row[] {
  const ids = shortIds(cards.map((card) => card.session));
  return cards.map((card, i) => ({
    found: { kind: 'handoff', card },
    updated: card.updated,
    label: `${agentTitle(card.agent)}  ${safeLine(ids[i] ?? '')}  ${safeTitle(card.title)}, by ${safeLine(card.author)}`,
  }));
}

const longest = Math.max(...adapters.map((a) => a.title.length));
/** Padded, so that what follows stands in one column. A handoff may come from an agent that this relay does not know. */
const agentTitle = (id: string): string => (adapterById(id)?.title ?? safeLine(id)).padEnd(longest);
