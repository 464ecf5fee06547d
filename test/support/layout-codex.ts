import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { asLatin1, asUtf8, type LaidOut, type Mover, mover, type Place, put, readLatin1, walk } from './layout.ts';

/** First line of a rollout, as far as laying it out needs it. */
interface Meta {
  id: string;
  timestamp: string;
  cwd: string;
  model_provider?: string | null;
  parent_thread_id?: string;
  history_base?: { thread_id: string; end_ordinal_exclusive: number; end_byte_offset: number };
}
interface Head {
  path: string;
  meta: Meta;
}

const FIRST_LINE_MAX = 1 << 20;

/** The rollouts below a folder, with their first lines; recordings of a client's own protocol and other files are none. */
export function codexHeads(folder: string): Head[] {
  return walk(folder)
    .filter((path) => path.endsWith('.jsonl') && !path.endsWith('.rpc.jsonl'))
    .flatMap((path) => {
      const meta = metaOf(path);
      return meta ? [{ path, meta }] : [];
    });
}

function metaOf(path: string): Meta | undefined {
  const file = openSync(path, 'r');
  try {
    const bytes = Buffer.alloc(Math.min(FIRST_LINE_MAX, statSync(path).size));
    readSync(file, bytes, 0, bytes.length, 0);
    const line = JSON.parse(bytes.toString('utf8').split('\n', 1)[0] ?? '');
    return line.type === 'session_meta' ? line.payload : undefined;
  } catch {
    return undefined;
  } finally {
    closeSync(file);
  }
}

/** Lays out a rollout, the rollouts that it goes on from, and those of its sub-agents (see layOut). */
export function layOutCodex(main: string, to: Place): LaidOut {
  const meta = metaOf(main);
  if (!meta) throw new Error(`${main} does not begin with session_meta`);
  const inSessions = main.split(sep).lastIndexOf('sessions');
  const around =
    inSessions < 0
      ? dirname(main)
      : main
          .split(sep)
          .slice(0, inSessions + 1)
          .join(sep);
  const others = codexHeads(around).filter((head) => head.path !== main);
  const move = mover(meta.cwd, to);
  const { path } = place({ path: main, meta }, others, to, move);
  const children = others.filter((head) => head.meta.parent_thread_id === meta.id);
  for (const child of children) place(child, others, to, move);
  const provider = meta.model_provider ? { provider: meta.model_provider } : {};
  return {
    agent: 'codex',
    id: meta.id,
    path,
    ...to,
    ...provider,
    children: children.map((child) => child.meta.id),
    moved: (said) => asUtf8(move(asLatin1(said))),
  };
}

/** Puts one rollout in place, its base first: where the base's cut now lies is known only after its paths were replaced. */
function place(head: Head, others: Head[], to: Place, move: Mover): { path: string; before: string; after: string } {
  const before = readLatin1(head.path);
  let after = move(before);
  const base = head.meta.history_base;
  if (base) {
    const under = others.find((o) => o.meta.id === base.thread_id && o.path !== head.path && endsLineAt(o.path, base.end_byte_offset));
    if (!under) throw new Error(`${head.path} goes on from thread ${base.thread_id}, which is not beside it`);
    const laid = place(under, others, to, move);
    const lines = laid.before.slice(0, base.end_byte_offset).split('\n').length - 1;
    const offset = laid.after.split('\n').slice(0, lines).join('\n').length + 1;
    after = after.replace(`"end_byte_offset":${base.end_byte_offset}`, `"end_byte_offset":${offset}`);
  }
  const path = join(to.home, '.codex', 'sessions', ...head.meta.timestamp.slice(0, 10).split('-'), nameOf(head));
  put(path, after);
  return { path, before, after };
}

const endsLineAt = (path: string, offset: number): boolean => statSync(path).size >= offset && readLatin1(path)[offset - 1] === '\n';

/** rollout-<time>-<thread>.jsonl; after a rewind the new head of the same thread has an id of its own behind that. */
function nameOf({ path, meta }: Head): string {
  if (basename(path).startsWith('rollout-')) return basename(path);
  const time = meta.timestamp.slice(0, 19).replaceAll(':', '-');
  const segment = meta.history_base?.thread_id === meta.id ? `_${madeUpId(meta)}` : '';
  return `rollout-${time}-${meta.id}${segment}.jsonl`;
}

/** A UUIDv7 of the rollout's time: the recorded name of a segment is not known any more. */
function madeUpId(meta: Meta): string {
  const time = Date.parse(meta.timestamp).toString(16).padStart(12, '0');
  const rest = createHash('sha256').update(`${meta.id} ${meta.timestamp}`).digest('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`;
}
