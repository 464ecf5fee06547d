import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { RelayError } from './errors.ts';

/**
 * Opens a file for reading that somebody else may have put there: anything but a regular file (or a link to one) is refused
 * without being read, since a named pipe or a device would keep whoever reads it waiting for ever. Errors of the system as they come; RelayError not-found for what is no regular file.
 */
export async function openRegular(path: string): Promise<FileHandle> {
  // Without O_NONBLOCK opening a named pipe waits until somebody writes into it.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    if ((await file.stat()).isFile()) return file;
  } catch (error) {
    await file.close();
    throw error;
  }
  await file.close();
  throw new RelayError('not-found', `${path} is neither a regular file nor a folder.`);
}

/** Content of a regular file. @param most bytes that it may have; RelayError failed for a larger one */
export async function readRegular(path: string, most?: number): Promise<Buffer> {
  const file = await openRegular(path);
  try {
    if (most !== undefined && (await file.stat()).size > most) throw new RelayError('failed', `${path} is larger than ${most} bytes.`);
    return await file.readFile();
  } catch (error) {
    throw withPath(error, path);
  } finally {
    await file.close();
  }
}

/** Content of a regular file as text. */
export const readRegularText = async (path: string, most?: number): Promise<string> => (await readRegular(path, most)).toString('utf8');

/** Bytes of an open file from `start` on: so many as are asked for, or fewer where it ends before. Errors of the system as they come. */
export async function readPiece(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

/** An error of the system that happened while an open file was read does not say which; now it does. */
export function withPath(error: unknown, path: string): unknown {
  if (error instanceof Error && 'syscall' in error && !('path' in error)) Object.assign(error, { path });
  return error;
}
