import { gitEnv } from '#git/env.ts';
import { findRepository, type Repository } from '#git/repository.ts';
import { tryGit } from '#git/run.ts';
import { type Json, type JsonObject, setOwn } from '#lib/json.ts';
import { type PathMap, pathMap } from '#redact/index.ts';
import type { Conversation, Entry } from '#session/conversation.ts';
import type { Loss } from '#session/loss.ts';
import type { Block, ResultBlock } from '#session/record.ts';
import type { Workspace } from './workspace.ts';

/** True where one folder lies in the other: then paths of the old one still hold. */
const nested = (a: string, b: string): boolean => a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);

/**
 * The conversation with the new working directory where it names the old one, in prompts, tool inputs and results. The source
 * stays as it is.
 */
export function movedConversation(conversation: Conversation, from: string, to: string): { conversation: Conversation; notes: Loss[] } {
  if (!from || nested(from, to)) return { conversation, notes: [] };
  const [old, now] = [projectMap(from), projectMap(to)];
  const move: Move = (text) => (text.length < 2 ? text : now.decode(old.encode(text)));
  const made = new Map<Entry, Entry>();
  let changed = 0;
  const entryOf = (entry: Entry): Entry => {
    const known = made.get(entry);
    if (known) return known;
    const content = mapSame(entry.content, (block) => movedBlock(block, move));
    const moved = content === entry.content ? entry : { ...entry, content };
    if (moved !== entry) changed++;
    made.set(entry, moved);
    return moved;
  };
  const entries = conversation.entries.map(entryOf);
  const view = conversation.view === conversation.entries ? entries : conversation.view.map(entryOf);
  if (!changed) return { conversation, notes: [] };
  const reason = `${changed} message${changed === 1 ? ' names' : 's name'} ${to} where the source names ${from}, the folder that it was held in.`;
  return { conversation: { ...conversation, entries, view }, notes: [{ record: null, kind: 'path', action: 'changed', reason }] };
}

const projectMap = (path: string): PathMap => pathMap({ home: '', roots: [{ token: 'PROJECT', path }] });

type Move = (text: string) => string;

/** The same list where nothing changed. */
function mapSame<T>(list: T[], change: (item: T) => T): T[] {
  const out = list.map(change);
  return out.some((item, i) => item !== list[i]) ? out : list;
}

function movedBlock(block: Block, move: Move): Block {
  if (block.type === 'tool_result') {
    const content = mapSame(block.content, (part) => movedBlock(part, move) as ResultBlock);
    return content === block.content ? block : { ...block, content };
  }
  if (block.type === 'tool_call') {
    const input = movedJson(block.input, move);
    return input === block.input ? block : { ...block, input };
  }
  if (block.type !== 'text' && block.type !== 'thinking') return block;
  const text = move(block.text);
  return text === block.text ? block : { ...block, text };
}

function movedJson(value: Json, move: Move): Json {
  if (typeof value === 'string') return move(value);
  if (Array.isArray(value)) return mapSame(value, (item) => movedJson(item, move));
  if (typeof value !== 'object' || value === null) return value;
  const out: JsonObject = {};
  let same = true;
  for (const [key, item] of Object.entries(value)) {
    const [name, moved] = [move(key), movedJson(item, move)];
    same &&= name === key && moved === item;
    setOwn(out, name, moved);
  }
  return same ? value : out;
}

/** A line where a session goes on in another project than the one it was held in, as far as that can be told. */
export async function otherProject(ws: Workspace, from: string, to: string): Promise<string[]> {
  if (!from || nested(from, to)) return [];
  const [old, now] = await Promise.all([from, to].map((cwd) => findRepository(cwd, ws.env).catch(() => undefined)));
  if (!old || !now || old.commonDir === now.commonDir) return [];
  const urlsOf = async (repository: Repository): Promise<string[]> => (await repository.remotes()).map((remote) => remote.url);
  const [before, after] = [await urlsOf(old), await urlsOf(now)];
  if (!before.length || !after.length || before.some((url) => after.includes(url))) return [];
  return [`${from} and ${to} have different remotes: the session may speak of files that are not in this project.`];
}

/** A line where the commit that a handoff was made at is not in this repository. */
export async function unknownCommit(ws: Workspace, commit: string | null): Promise<string[]> {
  if (!ws.repository || !commit || !/^[0-9a-f]{40,64}$/.test(commit)) return [];
  const { code } = await tryGit({ env: { ...gitEnv(ws.env), GIT_NO_LAZY_FETCH: '1' }, cwd: ws.cwd }, ['cat-file', '-e', `${commit}^{commit}`]);
  if (code === 0) return [];
  return [`The session was held at commit ${commit.slice(0, 12)}, which is not here: it is not fetched yet, or of another project.`];
}
