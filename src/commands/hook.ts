import { unattended } from '#git/env.ts';
import { namedFrom } from '#git/repository.ts';
import { stopWithSignals } from '#git/run.ts';
import { queueEvent, readPayload } from '#hooks/agent/event.ts';
import { repositoryOf } from '#hooks/agent/repository.ts';
import { isDryRun } from '#hooks/dry-run.ts';
import { noticeFor } from '#hooks/notice.ts';
import type { Io } from '#io/io.ts';

/** Bytes of a payload that are read; it holds the last answer in full. */
const LARGEST = 32 << 20;
/** Ms without a byte after which no payload comes any more. */
const PATIENCE = 2000;

/**
 * relay hook: what an agent's client calls at the end of a turn, with a payload on stdin. It never fails and says nothing but a notice, since the client
 * would show anything else to the person after every turn.
 */
export async function hook(called: Io, { prePush, gitDir }: { prePush?: string; gitDir?: string } = {}): Promise<number> {
  const io: Io = { ...called, env: unattended(called.env), progress: () => {} };
  if (prePush !== undefined) return beforePush(io, prePush, gitDir);
  if (io.stdin.isTTY) return 0;
  try {
    const told = readPayload(await payload(io));
    const repository = told && (await repositoryOf(told.cwd, io.env));
    if (!repository) return 0;
    await queueEvent(told, repository, io);
    const notice = await noticeFor(io, told, repository);
    if (notice) io.stdout.write(`${JSON.stringify({ systemMessage: notice })}\n`);
  } catch {
    // No git, a full disk, a broken payload: the next event makes up for it.
  }
  return 0;
}

/** What a push of the user's own takes along. git waits for it, so whoever calls it ends it in time; then the gits that it runs must not stay behind. */
async function beforePush(io: Io, remote: string, gitDir?: string): Promise<number> {
  stopWithSignals();
  try {
    if (await isDryRun()) return 0;
    const [{ sendAlong }, { workspace }] = await Promise.all([import('#hooks/send.ts'), import('#flows/context.ts')]);
    const line = await sendAlong(await workspace(gitDir === undefined ? io : { ...io, named: namedFrom(io.cwd, gitDir) }), remote);
    if (line) io.stderr.write(`${line}\n`);
  } catch (error) {
    io.stderr.write(`${await whyNone(error)}\n`);
  }
  return 0;
}

/** The push itself goes on; whoever typed it learns in one line why no sessions go along. */
async function whyNone(error: unknown): Promise<string> {
  const [{ tellError }, { safeLine }, { withoutSecrets }] = await Promise.all([
    import('#report/error.ts'),
    import('#report/index.ts'),
    import('#redact/told.ts'),
  ]);
  const { message, hint } = tellError(error);
  return safeLine(withoutSecrets(`relay: no sessions are sent along: ${message}${hint ? ` ${hint}` : ''}`));
}

/** All that comes on stdin. What is too large, or stops in the middle, is no payload; it is taken all the same, so that the client can write it. */
async function payload({ stdin }: Io): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const bytes = stdin.bytes()[Symbol.asyncIterator]();
  for (let next = await soon(bytes.next()); next && !next.done; next = await soon(bytes.next())) {
    size += next.value.length;
    if (size <= LARGEST) chunks.push(next.value);
  }
  return size <= LARGEST ? Buffer.concat(chunks).toString('utf8') : '';
}

/** undefined: it took too long. */
async function soon<T>(promised: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((done) => {
    timer = setTimeout(() => done(undefined), PATIENCE);
  });
  return Promise.race([promised, late]).finally(() => clearTimeout(timer));
}
