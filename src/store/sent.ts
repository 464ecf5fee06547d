import { git } from '#git/run.ts';
import { listVersions, readRefs } from './handoffs.ts';
import { ownWriter } from './identity.ts';
import { remotePlace } from './remote.ts';
import { type Side, sideExists } from './side.ts';
import type { Remote, SentVersion } from './types.ts';

/** See Store.knows. */
export async function knowsRemote(side: Side, remote: Remote): Promise<boolean> {
  if (!sideExists(side)) return false;
  const { key } = await remotePlace(side, remote);
  return (await readRefs(side)).indexes.some((index) => index.remoteKey === key);
}

/** See Store.sent. */
export async function sentVersions(side: Side): Promise<SentVersion[]> {
  if (!sideExists(side)) return [];
  const { writer, former } = await ownWriter(side);
  const own = new Set([writer, ...former]);
  const found = new Map<string, SentVersion>();
  for (const { handoff, tip } of (await readRefs(side)).fetched) {
    if (!own.has(handoff.slice(0, handoff.indexOf('/')))) continue;
    const blobs = await blobsByCommit(side, tip);
    for (const { version, commit } of await listVersions(side, handoff, tip))
      if (!found.has(commit)) found.set(commit, { handoff, version, commit, blobs: blobs.get(commit) ?? [] });
  }
  return [...found.values()];
}

/** The blobs of each commit of a chain, from what each changed; one process for all. */
async function blobsByCommit(side: Side, tip: string): Promise<Map<string, string[]>> {
  const log = await git(side.git, [
    'log',
    '--first-parent',
    '--reverse',
    '--root',
    '-m',
    '--raw',
    '--no-abbrev',
    '--no-renames',
    '-r',
    '-z',
    '--format=%x01%H',
    tip,
    '--',
  ]);
  const files = new Map<string, string>();
  const blobs = new Map<string, string[]>();
  for (const entry of log.split('\x01').slice(1)) {
    const [commit = '', ...changes] = entry.split('\0');
    for (let i = 0; i < changes.length; i++) {
      const change = /^\s*:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) ([A-Z])$/.exec(changes[i] as string);
      if (!change) continue;
      const path = changes[++i] as string;
      if (change[2] === 'D') files.delete(path);
      else files.set(path, change[1] as string);
    }
    blobs.set(commit.trim(), [...new Set(files.values())]);
  }
  return blobs;
}
