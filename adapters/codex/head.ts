import { basename } from 'node:path';
import { asObject, asString, isObject, parseJson } from '#lib/json.ts';
import { openRegular, readPiece, withPath } from '#lib/regular.ts';
import { LINE_TYPES, type Meta, ROLLOUT, readMeta } from './native.ts';
import { draft } from './read.ts';

/** session_meta alone is about 25 KB (it holds the client's system prompt). */
const FIRST = 64 * 1024;
/** Enough for session_meta. */
const BRIEF = 32 * 1024;
/** Where no question was found by then, the list does without. */
const LIMIT = 1024 * 1024;

/** What the beginning of a rollout tells. */
export interface Head {
  path: string;
  meta?: Meta;
  /** the first question that a person typed */
  preview?: string;
  model?: string;
  /** types of the complete lines seen, without session_meta */
  types: Set<string>;
  /** bytes in the file */
  size: number;
  mtime: Date;
}

/** Reads the beginning of a rollout, as far as the first question. @param brief true: as far as its session_meta */
export async function readHead(path: string, brief = false): Promise<Head> {
  const file = await openRegular(path);
  try {
    const info = await file.stat();
    const head: Head = { path, types: new Set(), size: info.size, mtime: info.mtime };
    let bytes: Buffer = Buffer.alloc(0);
    let asked: string | undefined;
    for (let want = brief ? BRIEF : FIRST, from = 0; ; want *= 4) {
      bytes = Buffer.concat([bytes, await readPiece(file, bytes.length, want - bytes.length)]);
      const whole = bytes.length >= info.size || bytes.length < want;
      const end = whole ? bytes.length : bytes.lastIndexOf(10) + 1;
      for (const line of bytes.toString('utf8', from, end).split('\n')) asked = readHeadLine(line, head) ?? asked;
      from = Math.max(from, end);
      if (head.preview !== undefined || (brief && head.meta) || whole || want >= LIMIT) break;
    }
    if (head.preview === undefined && asked !== undefined) head.preview = asked;
    return head;
  } catch (error) {
    throw withPath(error, path);
  } finally {
    await file.close();
  }
}

/** Takes from a line what the head is about. Answers the text of a user message that may be the question, where no event says so. */
function readHeadLine(line: string, head: Head): string | undefined {
  if (head.preview !== undefined) return undefined;
  const type = /"type":\s?"([a-z_]+)"/.exec(line)?.[1];
  if (type === undefined) return undefined;
  if (type === 'session_meta') {
    const meta = head.meta ?? metaOf(line);
    if (meta) head.meta = meta;
    return undefined;
  }
  head.types.add(type);
  const model = type === 'turn_context' && head.model === undefined ? asString(asObject(parsed(line)?.payload)?.model) : undefined;
  if (model !== undefined) head.model = model;
  const asks = type === 'event_msg' ? line.includes('"user_message"') || line.includes('"UserMessage"') : type === 'response_item' && line.includes('"user"');
  const value = asks ? parsed(line) : undefined;
  const record = value ? draft(value) : undefined;
  if (record?.type === 'event' && record.kind === 'user-message') {
    const text = asString(record.data?.text);
    if (text?.trim()) head.preview = text;
  } else if (record?.type === 'message' && record.role === 'user' && record.origin !== 'harness') {
    const text = record.content.find((block) => block.type === 'text');
    return text?.type === 'text' ? text.text : undefined;
  }
  return undefined;
}

function parsed(line: string): ReturnType<typeof asObject> {
  const value = parseJson(line.charCodeAt(0) === 0xfeff ? line.slice(1) : line);
  return isObject(value) ? value : undefined;
}

function metaOf(line: string): Meta | undefined {
  const payload = asObject(parsed(line)?.payload);
  return payload && readMeta(payload);
}

/** True when something in the file is of a type that this relay reads. */
export const isKnown = (head: Head): boolean => head.types.size === 0 || [...head.types].some((type) => LINE_TYPES.has(type));

/** Parts of a rollout's file name; undefined for other names. */
export function nameParts(path: string): { time: string; thread: string; segment?: string; compressed: boolean } | undefined {
  const match = ROLLOUT.exec(basename(path));
  if (!match) return undefined;
  const [, time = '', thread = '', segment, zst] = match;
  return { time, thread: thread.toLowerCase(), ...(segment === undefined ? {} : { segment: segment.toLowerCase() }), compressed: zst !== undefined };
}
