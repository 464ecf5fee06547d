import { adapterById } from '#adapters/registry.ts';
import { RelayError } from '#lib/errors.ts';
import { createGate, createRedactor, type Finding, type Gate, kindName, type RedactionOptions } from '#redact/index.ts';
import type { SessionCard } from '#session/source.ts';
import { sessionName } from '#store/index.ts';
import type { OutgoingObject, Remote, Store } from '#store/types.ts';
import { cleanLink } from './link-facts.ts';
import type { Prepared } from './prepare.ts';
import { redactionOf } from './redaction.ts';
import { openVerdicts } from './verdicts.ts';
import { needRepository, projectOf, type Workspace } from './workspace.ts';

/** Rises with every change of what the gate looks at. */
const VERSION = 2;

/** Something that must not leave, and the object it stands in. */
interface Hit {
  finding: Finding;
  object: OutgoingObject;
}

/** What the gate needs to know of a session that is to be sent. */
type Outgoing = Pick<Prepared, 'handoff' | 'root' | 'learned'>;

/** Tries before a push is stopped. */
const ROUNDS = 2;

/**
 * Scans every object that a send would transfer with today's rules: blobs, trees and commits of every version, index cards, what a fork goes
 * on from. Anything found, and any failure to scan, stops the push. What was found clean before by the same rules is not read again.
 * @param remake makes the unsent versions of these handoffs anew (and changes `prepared`): they may be older than what is known to be secret now
 */
export async function gate(
  ws: Workspace,
  remote: Remote,
  prepared: readonly Outgoing[],
  remake?: (handoffs: readonly string[]) => Promise<void>,
): Promise<void> {
  for (let round = 1; ; round++) {
    const handoffs = prepared.map((p) => p.handoff);
    const options = await optionsFor(ws, prepared);
    const hits = await scan(ws, remote, handoffs, options);
    if (!hits.length) return;
    const [inLinks, others] = [hits.filter(isInLink), hits.filter((hit) => !isInLink(hit))];
    if (round === ROUNDS || (others.length && !remake)) throw refusal(hits, handoffs, options);
    if (inLinks.length) await cleanLinks(ws, inLinks, options);
    if (others.length) await remake?.([...new Set(others.map(({ object }) => object.handoff))]);
  }
}

const isInLink = ({ object }: Hit): boolean => object.path.startsWith('links/');

/** What a commit is called may have become known as a secret since it was recorded. */
async function cleanLinks(ws: Workspace, hits: readonly Hit[], options: RedactionOptions): Promise<void> {
  const redactor = createRedactor(options);
  const sessions = new Set(hits.map(({ object: { handoff } }) => handoff.slice(handoff.indexOf('/') + 1)));
  await (await ws.store()).relink(sessions, (link) => cleanLink(link, redactor));
}

async function scan(ws: Workspace, remote: Remote, handoffs: string[], options: RedactionOptions): Promise<Hit[]> {
  const store = await ws.store();
  const objects = new Map(attachmentsLast(await store.outgoing(remote, handoffs)).map((object) => [object.id, object]));
  const judged = { by: `${VERSION} ${ws.version} ${createGate(options).id}`, known: (options.known ?? []).map(({ value }) => value) };
  const verdicts = await openVerdicts(store.home, options.key, judged);
  const gates = await gatesByAgent(store, options);
  const hits: Hit[] = [];
  for await (const { id, bytes } of store.contents([...objects.keys()].filter((one) => !verdicts.isClean(one)))) {
    const object = objects.get(id) as OutgoingObject;
    const findings = gates(object.handoff).check(bytes, object.path);
    if (!findings.length) verdicts.clean(id);
    for (const finding of findings) hits.push({ finding, object });
  }
  await verdicts.save();
  return hits;
}

/**
 * The same for versions that are not what relay made here last: something else has put them there. They are looked at before a new version
 * can take their place.
 */
export async function gateStrange(ws: Workspace, remote: Remote, cards: readonly SessionCard[]): Promise<void> {
  const store = await ws.store();
  const unsent = await store.unsent(remote);
  if (!unsent.length) return;
  const writer = await store.writer();
  const strange: Outgoing[] = [];
  for (const card of cards) {
    const handoff = `${writer}/${sessionName(card.agent, card.id)}`;
    if (!unsent.includes(handoff) || (await store.open(handoff)).state !== null) continue;
    strange.push({ handoff, root: projectOf(needRepository(ws), card.cwd), learned: [] });
  }
  if (strange.length) await gate(ws, remote, strange);
}

/** What is looked for: what any of the sessions' projects knows to be secret, and what was learned from them. */
async function optionsFor(ws: Workspace, prepared: readonly Outgoing[]): Promise<RedactionOptions> {
  const roots = [...new Set(prepared.map((p) => p.root))];
  const [first, ...more] = await Promise.all((roots.length ? roots : [undefined]).map((root) => redactionOf(ws, root)));
  const known = [first, ...more].flatMap((options) => options?.known ?? []);
  return { ...(first as RedactionOptions), known: [...known, ...prepared.flatMap((p) => p.learned)] };
}

/** The records that refer to an attachment say what it is. */
const attachmentsLast = (objects: readonly OutgoingObject[]): OutgoingObject[] => {
  const isAttachment = ({ path }: OutgoingObject): boolean => path.startsWith('attachments/');
  return [...objects.filter((object) => !isAttachment(object)), ...objects.filter(isAttachment)];
};

/** A gate for each agent, since each names its own places that must not be edited. */
async function gatesByAgent(store: Store, options: RedactionOptions): Promise<(handoff: string) => Gate> {
  const agents = new Map((await store.list()).map((card) => [card.handoff, card.agent]));
  const gates = new Map<string, Gate>();
  return (handoff) => {
    const agent = agents.get(handoff) ?? '';
    const slots = adapterById(agent)?.slot;
    const found = gates.get(agent) ?? createGate({ ...options, ...(slots ? { slots } : {}) });
    gates.set(agent, found);
    return found;
  };
}

/** So many are told one by one. */
const SHOWN = 5;

function refusal(hits: readonly Hit[], handoffs: readonly string[], options: RedactionOptions): RelayError {
  // The name of a file may be what was found.
  const { text } = createRedactor(options);
  const told = hits.slice(0, SHOWN).map(({ finding, object }) => text(`${ruleOf(finding)} in ${whereIs(finding, object)}`, 'gate'));
  const more = hits.length - told.length;
  const allowed = hits.find(({ finding }) => isAllowable(finding))?.finding;
  const id = hits[0]?.object.id.slice(0, 12);
  return new RelayError(
    'secret-left',
    `Nothing was sent: ${hits.length} place${hits.length === 1 ? '' : 's'} in what would leave ${hits.length === 1 ? 'looks like a secret' : 'look like secrets'}: ${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`,
    [
      `Look at it: git --git-dir "$(git rev-parse --git-common-dir)/relay/store.git" show ${id}`,
      ...(allowed ? [`It is no secret: relay redact --allow ${allowed.kind}:${allowed.fingerprint}, for this clone only`] : []),
      `It is one: relay purge ${handoffs.length === 1 ? handoffs[0] : '<handoff>'} takes it out of the history`,
    ].join('. '),
  );
}

const isAllowable = ({ kind }: Finding): boolean => kind !== 'error' && kind !== 'time';
const ruleOf = (finding: Finding): string =>
  isAllowable(finding) ? `${kindName(finding.kind)} (${finding.kind}:${finding.fingerprint})` : kindName(finding.kind);

/** e.g. object 0a1b2c3d4e5f (ann-3f9c02/codex-1, transcript/main/000/000000.jsonl), record 12, /content/0/text */
function whereIs({ record, path }: Finding, { id, handoff, path: file, type }: OutgoingObject): string {
  const number = record.startsWith(`${file} `) ? `, record ${record.slice(file.length + 1)}` : '';
  return `object ${id.slice(0, 12)} (${[handoff, file || `a ${type}`].filter(Boolean).join(', ')})${number}${path && `, ${path}`}`;
}
