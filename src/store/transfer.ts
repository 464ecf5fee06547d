import { lastWords, tryGit } from '#git/run.ts';
import { RelayError } from '#lib/errors.ts';
import type { Reach } from './remote.ts';
import type { Side } from './side.ts';
import { sweepNamedLock, wasLocked } from './sweep.ts';

/** Attempts when a killed git left a lock in the store. */
export const LOCK_ATTEMPTS = 6;

/**
 * Objects that git compares a new one with. It finds the old tail of the same path next to the new one, so few are enough;
 * none at all would send every rewritten tail whole (figures in docs/decisions/0006-store.md).
 */
const WINDOW = 4;

/** A ref that a push did not move. */
interface Refused {
  ref: string;
  /** conflict: the remote has something newer; declined: it does not take this ref at all; failed: something went wrong there */
  why: 'conflict' | 'declined' | 'failed';
  words: string;
}

export type Pushed = { bytes: number; refused: Refused[] };

/**
 * What a push does to a ref of the remote: the commit that it goes to (null: it is deleted), and the commit that it must be at ("": it must not be there yet;
 * undefined: any that the new one descends from).
 */
export interface Move {
  ref: string;
  to: string | null;
  from?: string | undefined;
}

/**
 * Moves refs of the remote, each only from where it is expected. Atomic where the server can.
 * @param deltas false: nothing of these chains is there yet, so looking for similar objects would only cost time
 */
export async function push(reach: Reach, moves: readonly Move[], deltas: boolean): Promise<Pushed> {
  const first = await tryPush(reach, moves, deltas, true);
  if (!('atomic' in first)) return first;
  const second = await tryPush(reach, moves, deltas, false);
  if ('atomic' in second) throw new RelayError('failed', `git push to ${reach.shown} failed.`);
  return second;
}

async function tryPush(reach: Reach, moves: readonly Move[], deltas: boolean, atomic: boolean): Promise<Pushed | { atomic: false }> {
  const args = [
    ...['-c', `pack.window=${deltas ? WINDOW : 0}`, '-c', 'core.bigFileThreshold=512m', '-c', 'push.useForceIfIncludes=false'],
    ...['push', '--porcelain', '--progress', '--no-verify', '--no-follow-tags', '--no-signed', '--recurse-submodules=no', '--thin'],
    ...(atomic ? ['--atomic'] : []),
    ...moves.flatMap(({ ref, from }) => (from === undefined ? [] : [`--force-with-lease=${ref}:${from}`])),
    ...['--', reach.address, ...moves.map(({ to, ref }) => `${to ?? ''}:${ref}`)],
  ];
  const { code, stdout, stderr } = await tryGit(reach.git, args);
  if (code !== 0 && atomic && /does not support --atomic/i.test(stderr)) return { atomic: false };
  const refused = refusals(stdout.toString('utf8'), stderr);
  if (code !== 0 && !refused.length) throw transportError(reach, stderr);
  return { bytes: bytesSent(stderr), refused };
}

/** Lines of `git push --porcelain` that begin with `!`. Those that fell only with the others are left out. */
function refusals(output: string, stderr: string): Refused[] {
  const refused: Refused[] = [];
  for (const line of output.split('\n')) {
    const match = /^!\t[^\t:]*:([^\t]+)\t\[([^\]]+)\] ?(?:\((.*)\))?/.exec(line);
    if (!match) continue;
    const [, ref = '', what = '', reason = ''] = match;
    if (/atomic (push|transaction) fail/.test(reason)) continue;
    const conflict =
      what === 'rejected' || /failed to update ref|cannot lock ref|stale info|fetch first|incorrect old value|reference already exists/i.test(reason);
    const why = conflict ? 'conflict' : isDeclined(reason, stderr) ? 'declined' : 'failed';
    const said = why === 'failed' ? saidThere(stderr) : '';
    refused.push({ ref, why, words: [reason || what, said].filter(Boolean).join(': ') });
  }
  // An atomic push that failed as a whole: the server names no ref of its own.
  if (!refused.length && /^!\t/m.test(output)) refused.push({ ref: '', why: 'conflict', words: 'atomic push failed' });
  return refused;
}

/**
 * True where the server has something against the ref itself: it is hidden, a rule forbids it, or a hook speaks of refs or branches.
 * Anything else (a full disk, a hook that looks at contents) would not be helped by another name.
 */
const isDeclined = (reason: string, stderr: string): boolean =>
  /hidden ref|prohibited|protected|not allowed|forbidden|denied|deny|cannot be updated|funny refname|invalid ref|refusing to (create|update)/i.test(reason) ||
  (/declined|rejected/i.test(reason) && /\brefs?\b|refs\/|\bbranch|namespace/i.test(saidThere(stderr)));

/** What the server said beside its answer: lines that git marks with `remote:`. */
const saidThere = (stderr: string): string =>
  stderr
    .split(/[\r\n]+/)
    .flatMap((line) => (line.startsWith('remote: ') ? [line.slice(8).trim()] : []))
    .filter((line) => line && !/^(counting|compressing|resolving|processing|unpacking|checking) |\d+%/i.test(line))
    .slice(0, 3)
    .join('; ');

/** "Writing objects: 100% (5/5), 1.23 KiB | …, done." Binary units, two decimals. */
function bytesSent(stderr: string): number {
  const units: Record<string, number> = { byte: 1, bytes: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };
  const match = [...stderr.matchAll(/Writing objects: 100% \(\d+\/\d+\), ([\d.]+) (bytes?|[KMG]iB)/g)].at(-1);
  return match ? Math.round(Number(match[1]) * (units[match[2] as string] ?? 1)) : 0;
}

/** Fetches refs of the remote into tracking refs. Answers the name of a ref that the remote lacks, if that stopped it. */
export async function fetchRefs(side: Side, reach: Reach, refspecs: readonly string[]): Promise<{ missing: string } | null> {
  const args = [
    'fetch',
    '--quiet',
    '--no-tags',
    '--no-prune',
    '--no-write-fetch-head',
    '--no-recurse-submodules',
    '--no-auto-gc',
    '--stdin',
    '--',
    reach.address,
  ];
  for (let attempt = 1; ; attempt++) {
    const { code, stderr } = await tryGit(reach.git, args, `${refspecs.join('\n')}\n`);
    if (code === 0) return null;
    const missing = /couldn't find remote ref (\S+)/i.exec(stderr);
    if (missing) return { missing: missing[1] as string };
    if (attempt === LOCK_ATTEMPTS || !wasLocked(stderr)) throw transportError(reach, stderr);
    await sweepNamedLock(side, stderr);
  }
}

/** Trouble of this machine, or of the way to the remote: it is the same for every ref, so there is no use in trying them one by one. */
const EVERYWHERE =
  /no space left|diskspace|quota|read-only file system|permission denied|could not resolve|connection (refused|reset|timed out)|timed out|unreachable|no route|unable to (access|connect|create temporary)/i;

/** The same, but a fetch that failed because of what was to be fetched is a value: `failed`. `missing`: a ref that the remote lacks. */
export async function tryFetch(side: Side, reach: Reach, refspecs: readonly string[]): Promise<{ missing?: string; failed?: RelayError }> {
  try {
    return (await fetchRefs(side, reach, refspecs)) ?? {};
  } catch (error) {
    if (error instanceof RelayError && !EVERYWHERE.test(error.message)) return { failed: error };
    throw error;
  }
}

/**
 * Fetches what git takes of these refs: where all of them together are refused, each half is tried for itself.
 * @returns why, for each refspec that was refused
 */
export async function fetchSound(side: Side, reach: Reach, refspecs: readonly string[]): Promise<Map<string, string>> {
  const { missing, failed } = refspecs.length ? await tryFetch(side, reach, refspecs) : {};
  if (!missing && !failed) return new Map();
  const [only = '', second] = refspecs;
  if (second === undefined) return new Map([[only, failed?.message ?? `the remote has no ${missing}`]]);
  const half = Math.ceil(refspecs.length / 2);
  return new Map([...(await fetchSound(side, reach, refspecs.slice(0, half))), ...(await fetchSound(side, reach, refspecs.slice(half)))]);
}

const RELAY_REFS = ['refs/relay/*', 'refs/heads/relay', 'refs/heads/relay/*', 'refs/heads/relay-store/*'];

/** The refs that a remote has under relay's names, with what they point at; `all`: under any name. */
export async function remoteRefs(reach: Reach, all = false): Promise<Map<string, string>> {
  const { code, stdout, stderr } = await tryGit(reach.git, ['ls-remote', '--refs', '--', reach.address, ...(all ? [] : RELAY_REFS)]);
  if (code !== 0) throw transportError(reach, stderr);
  const lines = stdout.toString('utf8').split('\n').filter(Boolean);
  return new Map(lines.map((line) => [line.slice(line.indexOf('\t') + 1), line.slice(0, line.indexOf('\t'))]));
}

/** The refs that a remote has under relay's names. */
export const listRemote = async (reach: Reach): Promise<Set<string>> => new Set((await remoteRefs(reach)).keys());

/** Moves refs of the store: [ref, new id or null to delete, old id ("" must not exist; undefined: whatever it is)]. All or none. */
export async function moveRefs(side: Side, moves: readonly (readonly [string, string | null, string?])[]): Promise<void> {
  if (!moves.length) return;
  const zero = '0'.repeat(side.repository.objectFormat === 'sha256' ? 64 : 40);
  const input = moves.map(([ref, to, from]) => {
    const old = from === undefined ? '' : ` ${from || zero}`;
    return to === null ? `delete ${ref}${old}\n` : `update ${ref} ${to}${old}\n`;
  });
  for (let attempt = 1; ; attempt++) {
    const { code, stderr } = await tryGit(side.git, ['update-ref', '--stdin'], input.join(''));
    if (code === 0) return;
    if (attempt === LOCK_ATTEMPTS || !wasLocked(stderr))
      throw new RelayError('failed', `The store could not be updated: ${lastWords(stderr)}`, 'Run the command again.');
    await sweepNamedLock(side, stderr);
  }
}

/** What went wrong on the way to a remote, in words that say what to do. */
function transportError(reach: Reach, stderr: string): RelayError {
  const words = lastWords(stderr);
  if (
    /authentication failed|host key verification failed|could not read (username|password)|permission denied|terminal prompts disabled|access denied|error: 40[13]|invalid credentials/i.test(
      stderr,
    )
  )
    return new RelayError('failed', `git could not log in to ${reach.shown}: ${words}`, `Check what git itself says: git ls-remote ${reach.pasted}`);
  if (
    /could not resolve|connection (refused|reset|timed out)|timed out|unreachable|no route|unable to (access|connect)|could not read from remote|does not appear to be a git repository|not found|does not exist|hung up|early eof/i.test(
      stderr,
    )
  )
    return new RelayError('offline', `cannot reach ${reach.shown}: ${words}`, `Check the network and the address: git ls-remote ${reach.pasted}`);
  return new RelayError('failed', `git failed with ${reach.shown}: ${words}`);
}
