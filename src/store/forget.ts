import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { git, lastWords, tryGit } from '#git/run.ts';
import { RelayError } from '#lib/errors.ts';
import type { Scrub } from './scrub.ts';
import type { Side } from './side.ts';
import { LEFT_BEHIND, sweepStore } from './sweep.ts';

/**
 * Removes every object that no ref reaches, and the logs of the refs. The caller has the store for itself (takeAlone): what another process is
 * about to name by a ref would go too. Readers are not hurt: git looks again where a pack has gone.
 */
export async function forgetUnreachable(side: Side): Promise<void> {
  await sweepStore(side.path, LEFT_BEHIND.aborted);
  for (const name of ['FETCH_HEAD', 'ORIG_HEAD']) await rm(join(side.path, name), { force: true });
  const packs = join(side.path, 'objects/pack');
  // A killed git leaves its pack marked as one to be kept.
  for (const name of await readdir(packs).catch(() => [])) if (name.endsWith('.keep')) await rm(join(packs, name), { force: true });
  for (const step of [
    ['reflog', 'expire', '--expire=now', '--expire-unreachable=now', '--all'],
    ['repack', '-a', '-d', '-q'],
    ['prune', '--expire=now'],
  ]) {
    const { code, stderr } = await tryGit(side.git, step);
    if (code !== 0)
      throw new RelayError(
        'failed',
        `What was purged could not be removed from this clone: ${lastWords(stderr)}`,
        'The refs are clean. Make room if the disk is full, and run the same command again: it goes on where it stopped.',
      );
  }
}

/** Which of these objects the store still has. */
export async function presentObjects(side: Side, ids: readonly string[]): Promise<Set<string>> {
  if (!ids.length) return new Set();
  const answers = await git(side.git, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], `${ids.join('\n')}\n`);
  return new Set(answers.split('\n').flatMap((line) => (line && !line.endsWith(' missing') ? [line.slice(0, line.indexOf(' '))] : [])));
}

/** Objects of the whole store, loose ones and those that no ref reaches too, that hold the value. */
export async function objectsWith(side: Side, scrub: Scrub): Promise<string[]> {
  const listed = await git(side.git, ['cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)']);
  const ids = listed.split('\n').flatMap((line) => (line && !line.endsWith(' tree') ? [line.slice(0, line.indexOf(' '))] : []));
  const found: string[] = [];
  for await (const { id, bytes } of side.objects.all(ids, 16)) if (scrub.holds(bytes)) found.push(id);
  return found;
}
