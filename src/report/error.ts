import type { Io } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { safeText } from './safe-text.ts';

interface Told {
  code: string;
  message: string;
  hint: string | null;
}

/** What the system says when it refuses, in words. */
const SYSTEM: Record<string, string> = {
  ENOSPC: 'The disk is full',
  EDQUOT: 'The disk quota is used up',
  EROFS: 'The file system is read-only',
  EACCES: 'Permission denied',
  EPERM: 'Not permitted',
  EMFILE: 'Too many open files',
};

/** Any error as code, message and hint. */
export function tellError(error: unknown): Told {
  if (error instanceof RelayError) return { code: error.code, message: error.message, hint: error.hint ?? null };
  const { code, path, message } = (error instanceof Error ? error : new Error(String(error))) as NodeJS.ErrnoException;
  const system = code === undefined ? undefined : SYSTEM[code];
  if (system) return { code: 'failed', message: `${system}${path ? `: ${path}` : ''}.`, hint: null };
  return { code: 'failed', message: `Unexpected error: ${message}`, hint: 'This is a bug. --verbose shows where it happened.' };
}

/** Prints an error on stderr: for people, or under --json as {"error": {code, message, hint}}. */
export function printError(io: Io, error: unknown, { json, verbose }: { json: boolean; verbose: boolean }): void {
  const told = tellError(error);
  if (json) {
    io.stderr.write(`${JSON.stringify({ error: told })}\n`);
    return;
  }
  const { paint } = io.stderr;
  io.stderr.write(`${paint.red('relay:')} ${safeText(told.message)}\n`);
  if (told.hint) io.stderr.write(`  ${paint.dim(safeText(told.hint))}\n`);
  if (verbose && error instanceof Error && error.stack) io.stderr.write(`${paint.dim(safeText(error.stack))}\n`);
}
