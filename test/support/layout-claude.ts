import { basename, dirname, join, relative } from 'node:path';
import { asLatin1, asUtf8, dashed, type LaidOut, mover, type Place, put, readLatin1, walk } from './layout.ts';

/** Folders that Claude Code keeps at the top of its own folder, by session id; a fixture has them beside the session or in its folder. */
const BY_SESSION = ['tasks', 'file-history'];

/** Lays out `<id>.jsonl` and what lies beside it (see layOut). */
export function layOutClaude(main: string, to: Place): LaidOut {
  const from = dirname(main);
  const text = readLatin1(main);
  const id = idOf(main, text);
  const move = mover(asUtf8(/"cwd":"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? ''), to);
  const config = join(to.home, '.claude');
  const project = join(config, 'projects', dashed(to.cwd));
  for (const path of [...walk(join(from, id)), ...BY_SESSION.flatMap((name) => walk(join(from, name, id)))]) {
    const parts = relative(from, path).split('/');
    const own = parts.findIndex((part) => BY_SESSION.includes(part));
    put(own < 0 ? join(project, ...parts) : join(config, ...parts.slice(own)), move(readLatin1(path)));
  }
  const path = join(project, `${id}.jsonl`);
  put(path, move(text));
  return { agent: 'claude-code', id, path, ...to, moved: (said) => asUtf8(move(asLatin1(said))) };
}

/** A session is named by its file; one that was saved under another name says its id in its lines. */
function idOf(main: string, text: string): string {
  const name = basename(main, '.jsonl');
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(name)) return name;
  return /"sessionId":"([0-9a-f-]{36})"/i.exec(text)?.[1] ?? '00000000-0000-4000-8000-000000000000';
}
