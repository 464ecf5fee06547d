import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import { asString, isObject, parseJson } from '#lib/json.ts';
import { readLines } from '#lib/lines.ts';
import type { SessionSource, SourceFile, SourceStream, Where } from '#session/source.ts';
import { readCard } from './card.ts';
import { draft } from './draft.ts';
import { isConversation, sessionIdOf } from './native.ts';
import { readEnds } from './scan.ts';

const AGENT_FILE = /^agent-([A-Za-z0-9_-]+)\.jsonl$/;

/** Everything that makes up the session at `path`: a session file anywhere, or a folder that holds one. */
export async function open(_where: Where, path: string, { brief = false }: { brief?: boolean } = {}): Promise<SessionSource> {
  const file = await mainFile(resolve(path));
  const card = await readCard(file, true, brief);
  if (!card) throw await explain(file);
  const beside = await besideFiles(file, card.id);
  const flat = await flatAgents(file, card.id);
  const streams: SourceStream[] = [{ name: 'main', path: file }, ...flat];
  const files: SourceFile[] = [];
  for (const found of beside) {
    const agent = found.name.startsWith('subagents/') ? AGENT_FILE.exec(found.name.slice('subagents/'.length))?.[1] : undefined;
    if (agent === undefined) files.push(found);
    else if (!streams.some((s) => s.name === `agent/${agent}`)) streams.push({ name: `agent/${agent}`, path: found.path });
  }
  files.push(...(await taskFiles(file, card.id)));
  return { ...card, streams, files, leftOut: await leftOut(file, card.id) };
}

/** The session file that a path means. Anything but a regular file (also behind links) is refused. */
async function mainFile(path: string): Promise<string> {
  const found = await statOf(path);
  if (!found) throw new RelayError('not-found', `There is no file or folder ${path}.`, 'See what there is: relay sessions --all');
  if (found.isFile()) return path;
  if (!found.isDirectory()) throw new RelayError('not-found', `${path} is neither a regular file nor a folder.`);
  const inside = (await names(path)).filter((name) => sessionIdOf(name) !== undefined);
  if (inside.length > 1) throw new RelayError('ambiguous', `${path} holds ${inside.length} sessions.`, 'Name one of its .jsonl files.');
  if (inside.length === 1) return join(path, inside[0] as string);
  const own = `${path}.jsonl`;
  if (sessionIdOf(basename(own)) !== undefined && (await statOf(own))?.isFile()) return own;
  throw new RelayError('not-found', `${path} holds no Claude Code session (a file <uuid>.jsonl).`);
}

/** Why a file is no session: never a silently empty one. */
async function explain(path: string): Promise<RelayError> {
  let empty = true;
  let side = false;
  let version: string | undefined;
  const known = new Set<string>();
  const strange = new Set<string>();
  for await (const lines of readLines(path)) {
    for (const { bytes } of lines) {
      if (bytes.length) empty = false;
      const value = parseJson(bytes.toString('utf8'));
      if (!isObject(value)) continue;
      // The head scan stops after some megabytes: a conversation that starts later is still one.
      if (isConversation(value)) return new RelayError('unknown-format', `${path}: the conversation starts too late in the file to be recognised.`);
      if (value.isSidechain === true) side = true;
      version = asString(value.version) ?? version;
      const made = draft(value);
      (made.type === 'event' && made.kind === 'unknown' ? strange : known).add(asString(value.type) ?? '(no type)');
    }
  }
  if (empty) return new RelayError('not-found', `${path} is empty: it holds no session.`);
  if (side) return new RelayError('not-found', `${path} is the transcript of a sub-agent, not a session.`, 'Name the session that started it.');
  if (strange.size && !known.size)
    return new RelayError(
      'unknown-format',
      `${path}: nothing in it can be understood as Claude Code ${version ?? '(unknown version)'}; first record type: ${[...strange][0]}.`,
      'Upgrade relay: npm install -g session-relay',
    );
  if (known.size) return new RelayError('not-found', `${path} holds no conversation, only ${[...known].join(', ')} lines.`);
  return new RelayError('not-found', `${path} is not a Claude Code session: no line of it is a JSON object.`);
}

const statOf = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);
const names = async (folder: string): Promise<string[]> => (await readdir(folder).catch(() => [])).sort();

/** Regular files of the folder that bears the session's name; links count as what they lead to. */
async function besideFiles(file: string, id: string): Promise<SourceFile[]> {
  const root = join(dirname(file), id);
  const out: SourceFile[] = [];
  const walk = async (at: string, depth: number): Promise<void> => {
    for (const name of await names(join(root, at))) {
      const inner = at ? `${at}/${name}` : name;
      const found = await statOf(join(root, inner));
      if (found?.isDirectory() && depth < 4 && inner !== 'file-history') await walk(inner, depth + 1);
      else if (found?.isFile()) out.push({ name: inner, path: join(root, inner) });
    }
  };
  await walk('', 0);
  return out;
}

/** Up to 2.0.37 sub-agents' files lay flat beside the sessions: they belong to the one that their lines name. */
async function flatAgents(file: string, id: string): Promise<SourceStream[]> {
  const out: SourceStream[] = [];
  for (const name of await names(dirname(file))) {
    const agent = AGENT_FILE.exec(name)?.[1];
    if (agent === undefined) continue;
    const path = join(dirname(file), name);
    const ends = await readEnds(path, (head) => head.length > 0);
    if (ends?.head.some((value) => value.sessionId === id)) out.push({ name: `agent/${agent}`, path });
  }
  return out;
}

/** Folders in which the client keeps things by session id: at the top of its configuration folder; beside a copied session. */
const stateFolders = (file: string, kind: string): string[] => [join(dirname(file), kind), join(dirname(file), '..', '..', kind)];

async function taskFiles(file: string, id: string): Promise<SourceFile[]> {
  const out: SourceFile[] = [];
  const add = async (folder: string, name: string, as: string): Promise<void> => {
    const path = join(folder, name);
    if (!out.some((known) => known.name === as) && (await statOf(path))?.isFile()) out.push({ name: as, path });
  };
  for (const folder of stateFolders(file, join('tasks', id)))
    for (const name of await names(folder)) if (/^[\w-]+\.json$/.test(name)) await add(folder, name, `tasks/${name}`);
  for (const folder of stateFolders(file, 'todos'))
    for (const name of await names(folder)) if (name.startsWith(`${id}-`) && name.endsWith('.json')) await add(folder, name, `todos/${name}`);
  return out;
}

async function leftOut(file: string, id: string): Promise<string[]> {
  const own = join(dirname(file), id, 'file-history', id);
  for (const folder of [...stateFolders(file, join('file-history', id)), own]) {
    const count = (await names(folder)).length;
    if (count) return [`file history (${count} ${count === 1 ? 'file' : 'files'})`];
  }
  return [];
}
