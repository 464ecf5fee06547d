import { createHash, randomBytes } from 'node:crypto';
import { link, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { tryGit } from '#git/run.ts';
import { withoutUserinfo } from '#git/url.ts';
import { isObject } from '#lib/json.ts';
import { readJsonFile, writeWhole } from './files.ts';
import { takeLock } from './lock.ts';
import { isPart, writerSlug } from './names.ts';
import { makeHome, type Side } from './side.ts';

/** What stands in `<home>/writer.json`. A copied clone is told by place and inode. */
interface WriterFile {
  writer: string;
  /** digest of the common dir's path: a path may hold what must not be written down */
  place: string;
  /** device and inode of the common dir */
  inode: string;
  /** writers that this clone was before */
  former: string[];
  /** true: taken over from an earlier clone at this place, whose chains have not been looked for on the remote yet */
  adopted?: boolean;
}

export type Writer = Pick<WriterFile, 'writer' | 'former' | 'adopted'>;

const fileOf = (home: string): string => join(home, 'writer.json');

async function readWriter(home: string): Promise<WriterFile | undefined> {
  const value = await readJsonFile(fileOf(home));
  if (!isObject(value as never)) return undefined;
  const { writer, place, inode, former, adopted } = value as Partial<WriterFile>;
  if (typeof writer !== 'string' || !isPart(writer)) return undefined;
  return {
    writer,
    place: String(place),
    inode: String(inode),
    former: Array.isArray(former) ? former.filter((one) => typeof one === 'string' && isPart(one)) : [],
    ...(adopted ? { adopted } : {}),
  };
}

/** This clone's writer id and its former ones, made on first use. A copy of a clone that still exists takes a new id. */
export async function ownWriter(side: Side): Promise<Writer> {
  const known = await readWriter(side.home);
  if (known && !(await isCopy(side, known))) return known;
  await makeHome(side);
  const lock = await takeLock(join(side.home, 'lock'), 'writer', 20_000);
  try {
    const again = await readWriter(side.home);
    if (again && !(await isCopy(side, again))) return again;
    const earlier = again ? undefined : await remembered(side);
    const writer = earlier ?? (await newWriter(side));
    return await keepWriter(side, writer, again ? [again.writer, ...again.former] : [], earlier !== undefined);
  } finally {
    await lock.release();
  }
}

/** Gives this clone a new id, since another one writes under `taken`. */
export async function renewWriter(side: Side, taken: string): Promise<Writer> {
  const lock = await takeLock(join(side.home, 'lock'), 'writer', 20_000);
  try {
    const now = await readWriter(side.home);
    if (now && now.writer !== taken) return now;
    return await keepWriter(side, await newWriter(side), [taken, ...(now?.former ?? [])]);
  } finally {
    await lock.release();
  }
}

async function keepWriter(side: Side, writer: string, former: string[], adopted = false): Promise<WriterFile> {
  const file = { writer, ...(await whereNow(side)), former, ...(adopted ? { adopted } : {}) };
  await writeWhole(fileOf(side.home), `${JSON.stringify(file)}\n`);
  await remember(side, writer);
  return file;
}

/** The chains of the earlier clone have been looked for. */
export async function settleAdopted(side: Side, { writer, former }: Writer): Promise<void> {
  await keepWriter(side, writer, former);
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

async function whereNow({ repository }: Side): Promise<Pick<WriterFile, 'place' | 'inode'>> {
  const folder = await stat(repository.commonDir, { bigint: true }).catch(() => undefined);
  return { place: digest(repository.commonDir), inode: folder ? `${folder.dev}:${folder.ino}` : '' };
}

/** A clone that was moved is the same folder under another name, one that was put back has its old name; a copy has neither. */
async function isCopy(side: Side, known: WriterFile): Promise<boolean> {
  const now = await whereNow(side);
  return now.place !== known.place && now.inode !== known.inode;
}

async function newWriter(side: Side): Promise<string> {
  const { stdout } = await tryGit(side.user, ['config', '--get', 'user.name']);
  return `${writerSlug(stdout.toString('utf8').trim())}-${randomBytes(3).toString('hex')}`;
}

const rememberedFile = (side: Side): string => join(side.state, 'writers.json');
const cloneNames = async (side: Side): Promise<string[]> =>
  (await side.repository.remotes()).map((remote) => digest(`${withoutUserinfo(remote.url)} ${side.repository.commonDir}`));

/** The id that a clone of the same remote had at the same path: a fresh clone goes on under it. */
async function remembered(side: Side): Promise<string | undefined> {
  const all = (await readJsonFile(rememberedFile(side))) as Record<string, unknown> | undefined;
  const found = (await cloneNames(side)).map((name) => all?.[name]).find((writer) => typeof writer === 'string' && isPart(writer));
  return found as string | undefined;
}

/** A home that cannot be written (a sandbox) costs only this memory. */
async function remember(side: Side, writer: string): Promise<void> {
  const clones = await cloneNames(side);
  if (!clones.length) return;
  try {
    const lock = await takeLock(join(side.state, 'lock'), 'writers', 5_000);
    try {
      const all = { ...((await readJsonFile(rememberedFile(side))) as object | undefined) };
      for (const name of clones) Object.assign(all, { [name]: writer });
      await writeWhole(rememberedFile(side), `${JSON.stringify(all, null, 1)}\n`);
    } finally {
      await lock.release();
    }
  } catch {
    // see above
  }
}

/** 32 random bytes of this clone, made on first use. */
export async function ownKey(side: Side): Promise<Buffer> {
  const path = join(side.home, 'key');
  const read = async (): Promise<Buffer | undefined> => {
    const key = await readFile(path).catch(() => undefined);
    return key?.length === 32 ? key : undefined;
  };
  const known = await read();
  if (known) return known;
  await makeHome(side);
  const temporary = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  await writeWhole(temporary, randomBytes(32));
  try {
    // link, unlike rename, never replaces the key that another process made meanwhile.
    await link(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return (await read()) as Buffer;
}
