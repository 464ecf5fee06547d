import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { scrubbing } from '#flows/scrub.ts';
import { findRepository } from '#git/repository.ts';
import { encodeRecord, toRecord } from '#session/codec.ts';
import type { Draft } from '#session/record.ts';
import { openStore } from '#store/index.ts';
import type { Remote, Store } from '#store/types.ts';
import { gitText } from './git-text.ts';
import { makePlace, type Place } from './repos.ts';
import { grow } from './sessions.ts';

/** A store that can take values out; `remembered` collects what it was told to remember. */
export async function purgingStore(place: Pick<Place, 'env'>, repo: string, remembered: string[] = []): Promise<Store> {
  const repository = await findRepository(repo, place.env);
  if (!repository) throw new Error(`${repo} is no repository`);
  const remember = async (values: readonly string[]): Promise<void> => void remembered.push(...values);
  return openStore(repository, { env: place.env, home: place.env.HOME ?? '', scrubbing: async () => scrubbing(remember) });
}

export interface Team {
  place: Place;
  origin: string;
  remote: Remote;
  /** the store of a new clone; `remembered` collects what it was told to remember */
  clone(name: string, remembered?: string[]): Promise<Store>;
}

/** A remote, and whoever clones it. */
export function team(): Team {
  const place = makePlace();
  const origin = place.bare('origin.git');
  const clone: Team['clone'] = async (name, remembered) => purgingStore(place, place.clone(origin, name), remembered);
  return { place, origin, remote: { name: 'origin', url: origin }, clone };
}

/** A value that nothing but a purge takes out. */
export const secret = (): string => `q${randomBytes(9).toString('hex')}`;

/** Adds to a session of a store what somebody said. */
export const add = (store: Store, session: string, ...texts: string[]) => store.append(session, grow(texts.map((text) => said(text))));

/** The stored line of what somebody said. @param detach takes what becomes an attachment */
export function said(text: string, over: Partial<Draft> = {}, detach: (bytes: Buffer) => string = () => ''): string {
  const value = { type: 'user', uuid: 'u1', parentUuid: null, message: { role: 'user', content: text } };
  const draft = { type: 'message', role: 'user', content: [{ type: 'text', text }], id: 'u1', parent: null, ...over } as Draft;
  return encodeRecord(toRecord(draft, { text: JSON.stringify(value), value, exact: true }), detach);
}

/** Everything that a store or a bare remote holds: objects that no ref reaches too, names of refs and their logs. */
export function everything(path: string): string {
  return [gitText(path), files(join(path, 'logs'))].join('\n');
}

/** What the refs of a repository reach. */
export function reachableText(path: string): string {
  const git = (args: string[], input = ''): string => execFileSync('git', args, { cwd: path, input, encoding: 'latin1', maxBuffer: 1 << 30 });
  const ids = git(['rev-list', '--all', '--objects', '--no-object-names']);
  return [ids && git(['cat-file', '--batch'], ids), git(['for-each-ref'])].join('\n');
}

/** Text of all files below a folder, with their names; packs are searched by `everything`. */
export function files(folder: string): string {
  if (!existsSync(folder)) return '';
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !file.parentPath.includes('/objects'))
    .map((file) => `${file.name}\n${readFileSync(join(file.parentPath, file.name), 'latin1')}`)
    .join('\n');
}
