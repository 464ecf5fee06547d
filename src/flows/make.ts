import type { Adapter, OutFile, Target, Written } from '#adapters/adapter.ts';
import { type Budget, fit, type Refitted } from '#context/fit.ts';
import { fitNotes } from '#context/notes.ts';
import { orientation } from '#context/orientation.ts';
import { findRepository } from '#git/repository.ts';
import { RelayError } from '#lib/errors.ts';
import { uuidv7 } from '#lib/uuid.ts';
import type { Conversation, Streams } from '#session/conversation.ts';
import type { Loss } from '#session/loss.ts';
import { pairCalls } from '#session/pairs.ts';
import { wellFormed, wellFormedConversation } from '#session/well-formed.ts';
import type { Drift } from '#snapshot/index.ts';
import { needAdapter } from './find.ts';
import { type HandBack, handBack, joined } from './hand-back.ts';
import type { Source } from './import-source.ts';
import { damaged, type Loaded, readStreams, watchStreams } from './load.ts';
import { movedConversation } from './moved.ts';
import { type Workspace, whereOf } from './workspace.ts';

/** Where an import goes, and what is said to the model there. */
export interface Place {
  adapter: Adapter;
  target: Target;
  orientation: string;
  budget: Budget;
}

/** What is known of a conversation once all of it was read. */
interface Plan {
  streams: Streams;
  conversation: Conversation;
  fitted: Refitted;
  /** what had to be changed for any other agent */
  notes: Loss[];
}

export interface Made {
  written: Written;
  /** set where the session came from one of the target's, whose lines are kept */
  back?: HandBack;
  /** lines of the main file, once it was drained */
  lines(): number;
  /** complete only after the files of `written` were drained */
  plan(): Promise<Plan>;
}

/** Names the new session and its place, and says what its model must know first. */
export async function placeFor(ws: Workspace, source: Source, adapter: Adapter, drift: Drift[]): Promise<Place> {
  const { card } = source.loaded;
  const where = whereOf(ws, adapter.id);
  const branch = await (await findRepository(source.cwd, ws.env))?.branch();
  const sameAgent = card.agent === adapter.id;
  const placeholders = isRedacted(source);
  // The same agent finds its own session as it was; something is said only when there is something to say.
  const silent = sameAgent && !placeholders && drift.every((d) => d.state === 'same');
  const say = {
    cwd: source.cwd,
    drift,
    card: { ...card, agent: needAdapter(card.agent).title },
    ...(source.handoff ? { handoff: source.handoff } : {}),
    ...(source.manifest ? { author: source.manifest.author.name } : {}),
    placeholders,
    foreign: source.foreign === true,
    sameAgent,
  };
  const own = ws.settings.agents[adapter.id];
  return {
    adapter,
    target: {
      where,
      cwd: source.cwd,
      id: uuidv7(ws.now()),
      title: sameAgent ? card.title : wellFormed(card.title),
      ...(branch ? { branch } : {}),
      now: ws.now(),
    },
    orientation: silent ? '' : orientation(say),
    budget: {
      ...(await adapter.window(where)),
      ...(own?.window ? { tokens: own.window } : {}),
      ...(own?.reserve === undefined ? {} : { reserve: own.reserve }),
    },
  };
}

const isRedacted = ({ manifest }: Source): boolean => (manifest?.redactions.total ?? 0) > 0;

/** The target's own session, one that comes home to it, or another agent's. */
export async function make(ws: Workspace, source: Source, place: Place): Promise<Made> {
  const { loaded, notes } = source;
  if (loaded.card.agent === place.adapter.id) return restored(source, place);
  const back = await handBack(ws, source, place.adapter);
  if (!back) return rewritten(source, place);
  const { from, more, base, handoff } = back;
  notes.push(
    `It goes on from ${from}, whose history is kept as it is${more.entries.length ? `; ${more.entries.length} messages of ${loaded.card.agent} follow it` : '; nothing was added to it since'}.`,
  );
  const { handoff: _, ...rest } = source;
  return { ...(await restored({ ...rest, loaded: base, ...(handoff ? { handoff } : { foreign: false }) }, place, back)), back };
}

/** Counts the lines of the main file while they are taken. */
function counted(written: Written): { written: Written; lines(): number } {
  const main = written.files.at(-1);
  const source = main?.lines;
  let count = 0;
  if (main && source)
    main.lines = (async function* () {
      count = 0;
      for await (const line of source) {
        count++;
        yield line;
      }
    })();
  return { written, lines: () => count };
}

/** Another agent: the whole conversation is read and fitted before anything is written. */
async function rewritten(source: Source, place: Place): Promise<Made> {
  const plan = planOf(source, place, await readStreams(source.loaded));
  const { target, orientation, adapter } = place;
  const written = await adapter.write({ target, card: source.loaded.card, orientation, fitted: plan.fitted });
  const said: Loss = {
    record: null,
    kind: 'orientation',
    action: 'added',
    reason: 'A message at the beginning tells the model where it is and where the conversation comes from.',
  };
  return { ...counted(written), plan: async () => ({ ...plan, notes: [...plan.notes, ...(orientation ? [said] : [])] }) };
}

/** The same agent: its own lines are copied; whether they need a checkpoint is known when the last one has passed. */
async function restored(source: Source, place: Place, back?: HandBack): Promise<Made> {
  const { loaded } = source;
  const passing = watchStreams(loaded);
  let known: Plan | undefined;
  const plan = async (): Promise<Plan> => (known ??= ownPlan(planOf(source, place, await passing.streams(), back)));
  const redacted = isRedacted(source);
  // What was sealed with a compaction stands for all that was said before, secrets too.
  const sealedForUs = !source.foreign && !redacted;
  const restoring = place.adapter.restore({
    target: place.target,
    card: loaded.card,
    orientation: place.orientation,
    streams: loaded.streams,
    records: passing.records,
    redacted,
    files: loaded.files,
    async checkpoint() {
      const { conversation, fitted } = await plan();
      // What another account sealed cannot be opened here; what our own client sealed can.
      if (conversation.sealed) return sealedForUs ? undefined : fitted;
      return fitted.refitted ? fitted : undefined;
    },
    ...(back ? { more: back.more } : {}),
  });
  const written = await restoring.catch((error: unknown) => {
    throw damaged(error, loaded);
  });
  for (const file of written.files) if (file.lines) file.lines = soundLines(file.lines, loaded);
  return { ...counted(written), plan };
}

/** The lines, of which one may come from a record that is damaged. */
async function* soundLines(lines: NonNullable<OutFile['lines']>, loaded: Loaded): AsyncGenerator<string | Buffer> {
  try {
    yield* lines;
  } catch (error) {
    throw damaged(error, loaded);
  }
}

/** The same agent keeps its own lines: only a checkpoint that was added shortens anything. */
const ownPlan = (plan: Plan): Plan => ({ ...plan, notes: plan.fitted.refitted ? fitNotes(plan.fitted) : [] });

function planOf(source: Source, { budget, orientation }: Place, streams: Streams, back?: HandBack): Plan {
  const { card } = source.loaded;
  const adapter = needAdapter(card.agent);
  const { conversation, notes } = wellFormedConversation(adapter.conversation(streams));
  if (!conversation.entries.length) throw nothingToImport(source, streams);
  const moved = movedConversation(conversation, card.cwd, source.cwd);
  const paired = pairConversation(back ? joined(moved.conversation, back) : moved.conversation);
  const fitted = fit(paired.conversation, budget, { source: adapter.title, orientation });
  return { streams, conversation, fitted, notes: [...notes, ...moved.notes, ...paired.notes, ...fitNotes(fitted)] };
}

function pairConversation(conversation: Conversation): { conversation: Conversation; notes: Loss[] } {
  const entries = pairCalls(conversation.entries);
  if (conversation.view === conversation.entries)
    return { conversation: { ...conversation, entries: entries.entries, view: entries.entries }, notes: entries.notes };
  return { conversation: { ...conversation, entries: entries.entries, view: pairCalls(conversation.view).entries }, notes: entries.notes };
}

function nothingToImport(source: Source, streams: Streams): RelayError {
  const records = [...streams.values()].reduce((sum, s) => sum + s.length, 0);
  return new RelayError('nothing-to-import', `${source.version} holds no message that could be resumed (${records} records).`, 'Nothing was written.');
}
