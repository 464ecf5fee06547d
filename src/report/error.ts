import type { Io } from '#io/io.ts';
import { cut } from '#lib/cut.ts';
import { type ErrorCode, exitCodeOf, RelayError } from '#lib/errors.ts';
import { safeText } from '#lib/safe-text.ts';

interface Told {
  code: ErrorCode;
  message: string;
  hint: string | null;
}

/** Longest message on a terminal, in UTF-16 units: names in it may be somebody else's. */
const LONGEST = 4000;

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
  const { code, path, message, syscall } = (error instanceof Error ? error : new Error(String(error))) as NodeJS.ErrnoException;
  if (code === 'ENOENT' && path && syscall && !syscall.startsWith('spawn')) return { code: 'not-found', message: `${path} does not exist.`, hint: null };
  const system = (code === undefined ? undefined : SYSTEM[code]) ?? (code && syscall ? systemWords(message, syscall) : undefined);
  if (system) return { code: 'failed', message: `${system}${path ? `: ${path}` : ''}.`, hint: null };
  return { code: 'failed', message: `Unexpected error: ${message}`, hint: 'This is a bug. --verbose shows where it happened.' };
}

/** "EIO: i/o error, read '/x'" -> "I/o error (read)"; what is not of that form is told whole. */
function systemWords(message: string, syscall: string): string {
  const words = /^[A-Z0-9_]+: ([^,]+),/.exec(message)?.[1] ?? message;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words === message ? '' : ` (${syscall})`}`;
}

const asItIs = (text: string): string => text;

interface Options {
  json: boolean;
  verbose: boolean;
  /** takes secrets out of what is told */
  clean?: (text: string) => string;
}

/** Prints an error on stderr: for people, or under --json as {"error": {code, message, hint}}. Answers the exit code. */
export function printError(io: Io, error: unknown, { json, verbose, clean = asItIs }: Options): number {
  const { code, message, hint } = tellError(error);
  const told: Told = { code, message: clean(message), hint: hint && clean(hint) };
  if (json) {
    io.stderr.write(`${JSON.stringify({ error: told })}\n`);
    return exitCodeOf(told.code);
  }
  const { paint } = io.stderr;
  io.stderr.write(`${paint.red('relay:')} ${safeText(cut(told.message, LONGEST))}\n`);
  if (told.hint) io.stderr.write(`  ${paint.dim(safeText(told.hint))}\n`);
  if (verbose && error instanceof Error && error.stack) io.stderr.write(`${paint.dim(safeText(clean(error.stack)))}\n`);
  return exitCodeOf(told.code);
}
