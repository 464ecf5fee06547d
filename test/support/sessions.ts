import { createHash } from 'node:crypto';
import { findRepository } from '#git/repository.ts';
import { openStore } from '#store/index.ts';
import type { NewVersion, Remote, Store, StoredVersion, VersionWriter } from '#store/types.ts';
import type { Place } from './repos.ts';

export const HEADER = '{"type":"stream","format":"relay-session","version":1,"stream":"main","agent":"codex"}';

export async function storeOf(place: Place, repo: string, now?: () => number): Promise<Store> {
  const repository = await findRepository(repo, place.env);
  if (!repository) throw new Error(`${repo} is no repository`);
  return openStore(repository, { env: place.env, home: place.env.HOME ?? '', ...(now ? { now } : {}) });
}

/** Lines that look like a session's: words, code and hashes, compressing about four to one. The same seed gives the same lines. */
export function makeLines(count: number, seed = 'a', size = 1000): string[] {
  return Array.from({ length: count }, (_, i) => {
    let text = '';
    for (let k = 0; text.length < size; k++) {
      const hash = createHash('sha1').update(`${seed} ${i} ${k}`).digest('hex');
      text += `const ${hash.slice(0, 6)} = await read(path.join(root, "src/${hash.slice(6, 12)}.ts")); // the next line follows\n`;
    }
    return JSON.stringify({ type: 'message', n: i, text });
  });
}

export const version = (over: Partial<NewVersion> = {}): NewVersion => ({
  manifest: { agent: 'codex', redactions: { total: 2 } },
  files: { files: [] },
  state: { at: 1 },
  card: { agent: 'codex', session: 'one', title: 'A session', author: 'Ann Example <ann@example.com>', updated: new Date().toISOString() },
  subject: 'relay: A session',
  trailers: { 'Relay-Session': 'one' },
  ...over,
});

/** Adds `lines` to the main stream after what is stored. */
export const grow =
  (lines: string[], over: Partial<NewVersion> = {}) =>
  async (base: StoredVersion | null, writer: VersionWriter): Promise<NewVersion> => {
    const stream = writer.stream('main', base?.streams[0]?.records ?? 0, HEADER);
    for (const line of lines) stream.write(line);
    await writer.drained();
    return version(over);
  };

export async function readAll(opened: StoredVersion, stream = 'main', from?: number): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of opened.lines(stream, from)) lines.push(line);
  return lines;
}

export const originOf = (place: Place, repo: string): Remote => ({ name: 'origin', url: place.git(repo, 'remote', 'get-url', 'origin').trim() });
