import { adapterById } from '#adapters/registry.ts';
import { RelayError } from '#lib/errors.ts';
import { createGate, type Finding, type Gate, type KnownValue, kindName } from '#redact/index.ts';
import type { Remote, Store } from '#store/types.ts';
import type { Prepared } from './prepare.ts';
import { redactionOf } from './redaction.ts';
import type { Workspace } from './workspace.ts';

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
