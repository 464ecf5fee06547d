import { stat } from 'node:fs/promises';
import { adapterById } from '#adapters/registry.ts';
import { RelayError } from '#lib/errors.ts';
import { createGate, type Finding, type Gate, type KnownValue, kindName } from '#redact/index.ts';
import type { SessionCard } from '#session/source.ts';
import { sessionName } from '#store/index.ts';
import type { Remote, Store } from '#store/types.ts';
import { findLocal, localSessions } from './find.ts';
import { isExcluded, type Prepared } from './prepare.ts';
import { redactionOf } from './redaction.ts';
import { readImports } from './registry.ts';
import { needRepository, type Workspace } from './workspace.ts';

/** The sessions that a push means: the named ones, else this project's newest and those shared already. */
export async function sessionsToPush(ws: Workspace, names: string[], all: boolean, findRemote: () => Promise<Remote | undefined>): Promise<SessionCard[]> {
  needRepository(ws);
  if (names.length) {
    const named = [];
    for (const name of names) named.push((await findLocal(ws, name)).card);
    return named;
  }
  const cards = await withoutUntouchedImports(
    ws,
    (await localSessions(ws)).filter((card) => !isExcluded(ws, card)),
  );
  if (all) return cards;
  const store = await ws.store();
  // What was only made here, and not sent, nobody agreed to share.
  const remote = await findRemote();
  const shared = new Set(remote ? await store.shared(remote) : []);
  const writer = shared.size ? await store.writer() : '';
  const chosen = cards.filter((card, i) => i === 0 || shared.has(`${writer}/${sessionName(card.agent, card.id)}`));
  if (chosen.length) return chosen;
  throw new RelayError(
    'not-found',
    'No agent on this machine has a session for this project.',
    'relay sessions --all lists the sessions of all projects; name one to push it.',
  );
}

/** File times of an import and its note differ by less, in ms. */
const SAME_MOMENT = 5000;

/** Without sessions that an import made and nobody went on with: whoever they came from has them already. */
async function withoutUntouchedImports(ws: Workspace, cards: SessionCard[]): Promise<SessionCard[]> {
  const made = new Map((await readImports(ws)).map((entry) => [entry.to, Date.parse(entry.at)]));
  const untouched = async (card: SessionCard): Promise<boolean> => {
    const at = made.get(`${card.agent}:${card.id}`);
    return at !== undefined && (await stat(card.path)).mtimeMs <= at + SAME_MOMENT;
  };
  const flags = await Promise.all(cards.map(untouched));
  return cards.filter((_, i) => !flags[i]);
}

/** A gate for each agent, since each names its own places that must not be edited. */
async function gatesByAgent(ws: Workspace, store: Store, learned: readonly KnownValue[]): Promise<(handoff: string) => Gate> {
  const options = await redactionOf(ws);
  const known = [...(options.known ?? []), ...learned];
  const agents = new Map((await store.list()).map((card) => [card.handoff, card.agent]));
  const gates = new Map<string, Gate>();
  return (handoff) => {
    const agent = agents.get(handoff) ?? '';
    const slots = adapterById(agent)?.slot;
    const found = gates.get(agent) ?? createGate({ ...options, known, ...(slots ? { slots } : {}) });
    gates.set(agent, found);
    return found;
  };
}

/** Scans every object that a send would transfer with today's rules. Anything found, and any failure to scan, stops the push. */
export async function gate(ws: Workspace, remote: Remote, prepared: readonly Prepared[]): Promise<void> {
  const store = await ws.store();
  const gates = await gatesByAgent(
    ws,
    store,
    prepared.flatMap((p) => p.learned),
  );
  const objects = await store.outgoing(
    remote,
    prepared.map((p) => p.handoff),
  );
  const byId = new Map(objects.map((o) => [o.id, o]));
  const hits: { finding: Finding; object: string }[] = [];
  for await (const { id, bytes } of store.contents([...byId.keys()])) {
    const { handoff = '', path = '', type = 'blob' } = byId.get(id) ?? {};
    for (const finding of gates(handoff).check(bytes, path)) hits.push({ finding, object: `${handoff} ${path || type} (${id.slice(0, 12)})` });
  }
  if (!hits.length) return;
  const named = hits
    .slice(0, 5)
    .map(({ finding, object }) => `${kindName(finding.kind)} ${finding.kind}:${finding.fingerprint} in ${object}, ${finding.record} ${finding.path}`);
  throw new RelayError(
    'secret-left',
    `Nothing was sent: ${hits.length} place${hits.length === 1 ? '' : 's'} in what would leave still look like secrets: ${named.join('; ')}.`,
    'Nothing has left this clone. Push once more; if that does not help, report it as a bug of the redaction.',
  );
}
