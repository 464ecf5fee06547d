import { basename, join } from 'node:path';
import { asObject, asString, type JsonObject, parseJson } from '#lib/json.ts';
import { readRegularText } from '#lib/regular.ts';
import type { SessionCard } from '#session/source.ts';
import { contentBlocks } from './blocks.ts';
import { AGENT, HARNESS_TEXT, isConversation, SYNTHETIC } from './native.ts';
import { type Ends, readEnds } from './scan.ts';

/** Longest title, in UTF-16 units; the rest of a first prompt is no title. */
const TITLE_MAX = 200;

/**
 * What a list shows of a session file; undefined when it holds no conversation of its own (only a summary line, only
 * sub-agents), as the client's own list decides.
 * @param sidecar true: a folder of the session's name lies beside it, where a title may be
 * @param brief true: only its beginning is read
 */
export async function readCard(path: string, sidecar: boolean, brief = false): Promise<SessionCard | undefined> {
  const ends = await readEnds(path, (head) => head.some(isConversation), brief);
  if (!ends) return undefined;
  const all = [...ends.head, ...ends.tail];
  if (!all.some(isConversation)) return undefined;
  const id = basename(path, '.jsonl');
  const own = all.filter((value) => value.isSidechain !== true);
  const version = last(own, 'version');
  const branch = last(own, 'gitBranch');
  const model = modelOf(own);
  return {
    agent: AGENT,
    id,
    title: await titleOf(all, sidecar ? join(path.slice(0, -'.jsonl'.length), 'custom-title.json') : undefined),
    cwd: own.map((value) => asString(value.cwd)).find((cwd) => cwd) ?? '',
    path,
    ...times(own, ends),
    ...(version === undefined ? {} : { version }),
    // "HEAD" is also written for branches with other than ASCII letters: it names no branch.
    ...(branch === undefined || branch === 'HEAD' ? {} : { branch }),
    ...(model === undefined ? {} : { model }),
  };
}

const last = (values: JsonObject[], key: string): string | undefined =>
  asString(values.findLast((value) => typeof value[key] === 'string' && value[key] !== '')?.[key]);

function modelOf(values: JsonObject[]): string | undefined {
  const models = values.map((value) => (value.type === 'assistant' ? asString(asObject(value.message)?.model) : undefined));
  return models.findLast((model) => model !== undefined && model !== SYNTHETIC);
}

/** First and last time of a message; the file's own time where there is none, it lies in the future, or the end was not read. */
function times(values: JsonObject[], ends: Ends): { created: string; updated: string } {
  const stamps = values.filter((value) => value.type === 'user' || value.type === 'assistant').map((value) => Date.parse(asString(value.timestamp) ?? ''));
  const known = stamps.filter((ms) => !Number.isNaN(ms));
  const newest = ends.cut ? undefined : known.at(-1);
  const updated = newest === undefined || newest > Date.now() ? ends.mtime : new Date(newest);
  const oldest = known[0];
  return { created: (oldest === undefined || oldest > updated.getTime() ? updated : new Date(oldest)).toISOString(), updated: updated.toISOString() };
}

/** The title as the client's picker has it: given by a person, by the model, by an old summary, else the last or first prompt. */
async function titleOf(values: JsonObject[], sidecar: string | undefined): Promise<string> {
  const own = (type: string, key: string): string | undefined => asString(values.findLast((value) => value.type === type && value[key])?.[key]);
  const found =
    own('custom-title', 'customTitle') ??
    (sidecar && (await sidecarTitle(sidecar))) ??
    own('ai-title', 'aiTitle') ??
    summaryOf(values) ??
    own('last-prompt', 'lastPrompt') ??
    firstPrompt(values);
  return oneLine(found ?? '') || '(session)';
}

const oneLine = (text: string): string => {
  const flat = text.replace(/\s+/g, ' ').trim();
  return flat.length > TITLE_MAX ? `${flat.slice(0, TITLE_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…` : flat;
};

async function sidecarTitle(path: string): Promise<string | undefined> {
  const text = await readRegularText(path).catch(() => '');
  return asString(asObject(parseJson(text))?.customTitle) || undefined;
}

/** Summary lines of 1.0.x describe other sessions too: one counts only when its leaf is in this file. */
function summaryOf(values: JsonObject[]): string | undefined {
  const ids = new Set(values.map((value) => value.uuid));
  return asString(values.findLast((value) => value.type === 'summary' && ids.has(value.leafUuid as string))?.summary);
}

function firstPrompt(values: JsonObject[]): string | undefined {
  for (const value of values) {
    if (value.type !== 'user' || value.isMeta === true || value.isSidechain === true || value.isCompactSummary === true) continue;
    const text = contentBlocks(asObject(value.message)?.content).find((block) => block.type === 'text' && block.text.trim() !== '');
    if (text?.type === 'text' && !HARNESS_TEXT.test(text.text)) return text.text;
  }
  return undefined;
}
