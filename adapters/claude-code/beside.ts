import { dirname, join } from 'node:path';
import { cut } from '#lib/cut.ts';
import type { Loss } from '#session/loss.ts';
import type { OutFile, RestoreInput } from '../adapter.ts';
import { configDir } from './native.ts';
import type { Rewrite } from './rewrite.ts';

/** Files beside the transcript; names that would lead out of the session's own folders are refused. */
export function besideFiles(input: RestoreInput, project: string, rewrite: Rewrite, loss: Loss[], isFree: IsFree): OutFile[] {
  return input.files.flatMap((file) => {
    const path = besidePath(input, project, rewrite, file.name);
    if (path === undefined || !isFree(path)) {
      loss.push({ record: null, kind: 'file', action: 'left-out', reason: `${JSON.stringify(cut(file.name, 200))} is no name of a file within the session` });
      return [];
    }
    return [{ path, bytes: async () => rewrite.bytes(await file.read()) }];
  });
}

export type IsFree = (path: string) => boolean;

/** Takes a place for each file that it is asked about: a second file of that name, or one where another needs a folder, has none. */
export function freePlaces(): IsFree {
  const files = new Set<string>();
  const folders = new Set<string>();
  return (path) => {
    const above: string[] = [];
    for (let at = dirname(path); at !== dirname(at); at = dirname(at)) above.push(at);
    if (files.has(path) || folders.has(path) || above.some((folder) => files.has(folder))) return false;
    files.add(path);
    for (const folder of above) folders.add(folder);
    return true;
  };
}

/** What file systems take: bytes of one name, and UTF-16 units of all of a file's name within the session. */
const NAME_MAX = 255;
const WHOLE_MAX = 1024;

/** Where a file beside the transcript goes; undefined where its name is none that this client uses for a session of its own. */
function besidePath({ target }: RestoreInput, project: string, rewrite: Rewrite, name: string): string | undefined {
  const { id, where } = target;
  const parts = name.split('/').map(rewrite.name);
  if (
    name.length > WHOLE_MAX ||
    parts.some((part) => part === '' || part === '.' || part === '..' || /[\\:\0]/.test(part) || Buffer.byteLength(part) > NAME_MAX)
  )
    return undefined;
  const [top, file = '', ...more] = parts as [string, ...string[]];
  // These two folders hold the files of all sessions.
  if (top === 'tasks') return !more.length && /^[\w-][\w.-]*$/.test(file) ? join(configDir(where), top, id, file) : undefined;
  if (top === 'todos') return !more.length && file.startsWith(`${id}-`) && file.endsWith('.json') ? join(configDir(where), top, file) : undefined;
  return join(project, id, ...parts);
}
