import { access, appendFile, constants, mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { OutFile, Written } from '#adapters/adapter.ts';
import { RelayError } from '#lib/errors.ts';

const LF = Buffer.from('\n');
/** Bytes gathered before a write. */
const CHUNK = 256 * 1024;
const TEMPORARY = /^\.relay-(\d+)-.*\.tmp$/;

/**
 * Puts the files of an import in place: each is written under a temporary name beside its place, synced and renamed,
 * the main file last, so that a half-done import shows no session. Never overwrites.
 */
export async function place(written: Written): Promise<void> {
  const done: string[] = [];
  try {
    for (const file of written.files) {
      await mkdir(dirname(file.path), { recursive: true });
      await sweep(dirname(file.path));
      await placeFile(file);
      done.push(file.path);
    }
    for (const { path, line } of written.appends) await appendLine(path, line);
  } catch (error) {
    for (const path of done) await rm(path, { force: true });
    throw await told(error, dirname(written.path));
  }
}

const WHY: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
};

/** A refusal of the system in words. Making a folder on a read-only disk fails as if its parent were missing, so the nearest one that is there is asked. */
async function told(error: unknown, folder: string): Promise<unknown> {
  const { code = '' } = error as NodeJS.ErrnoException;
  const why = WHY[code] ?? (code === 'ENOENT' ? WHY[await refusalOf(folder)] : undefined);
  return why ? new RelayError('failed', `${folder} cannot be written: ${why}. Nothing was imported.`, 'Once that is put right, run the import again.') : error;
}

async function refusalOf(folder: string): Promise<string> {
  for (let at = folder; ; at = dirname(at)) {
    const code = await access(at, constants.W_OK).then(
      () => '',
      (refused: NodeJS.ErrnoException) => refused.code ?? '',
    );
    if (code !== 'ENOENT' || at === dirname(at)) return code;
  }
}

async function placeFile(file: OutFile): Promise<void> {
  const exists = await stat(file.path).then(
    () => true,
    () => false,
  );
  if (exists) throw new RelayError('failed', `${file.path} exists already; nothing was overwritten.`, 'Run the import again: it makes a new session id.');
  const temporary = join(dirname(file.path), `.relay-${process.pid}-${basename(file.path).slice(-60)}.tmp`);
  try {
    const out = await open(temporary, 'wx', 0o600);
    try {
      if (file.bytes) await writeAll(out, await file.bytes());
      else await writeLines(out, file);
      await out.sync();
    } finally {
      await out.close();
    }
    const time = file.mtime ?? new Date();
    await utimes(temporary, time, time);
    await rename(temporary, file.path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

type Out = Awaited<ReturnType<typeof open>>;

/** FileHandle.write may write less than asked without an error. */
async function writeAll(out: Out, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await out.write(bytes, at)).bytesWritten;
}

async function writeLines(out: Out, file: OutFile): Promise<void> {
  let pending: Buffer[] = [];
  let size = 0;
  const add = (bytes: Buffer) => {
    pending.push(bytes);
    size += bytes.length;
  };
  let first = true;
  for await (const line of file.lines ?? []) {
    if (!first) add(LF);
    first = false;
    add(typeof line === 'string' ? Buffer.from(line, 'utf8') : line);
    if (size >= CHUNK) {
      await writeAll(out, Buffer.concat(pending, size));
      pending = [];
      size = 0;
    }
  }
  if (!first && file.eol !== false) add(LF);
  await writeAll(out, Buffer.concat(pending, size));
}

async function appendLine(path: string, line: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const there = await stat(path).catch(() => undefined);
  // A named pipe would wait for a reader.
  if (there && !there.isFile())
    throw new RelayError('failed', `${path} is no regular file. Nothing was imported.`, 'Once that is put right, run the import again.');
  await appendFile(path, `${line}\n`, { mode: 0o600 });
}

/** Removes what a killed import left: temporary files whose process is gone. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = TEMPORARY.exec(name)?.[1];
    if (pid && !isAlive(Number(pid))) await rm(join(folder, name), { force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
