import { homedir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import pc from 'picocolors';

/** Paints text, or answers it as it is where the stream shows no colours. */
export type Paint = ReturnType<typeof pc.createColors>;

/** A stream that people or programs read. */
export interface Out {
  write(text: string): void;
  isTTY: boolean;
  /** width in columns; 80 where it is not known */
  columns: number;
  paint: Paint;
}

/**
 * The outside world of a command: everything that it may read from or write to the process. Made by `processIo` for
 * real, and by the tests' own twin, so that a command never looks at global state.
 */
export interface Io {
  /** results */
  stdout: Out;
  /** everything else: progress, notes, warnings, errors */
  stderr: Out;
  /** The terminal to ask on. Absent where nobody can answer (no TTY, CI): then nothing is ever asked. */
  terminal?: { input: Readable; output: Writable };
  env: Record<string, string | undefined>;
  home: string;
  cwd: string;
  now(): Date;
}

/** The Io of this process. */
export function processIo(): Io {
  const { env } = process;
  // `relay list | head` closes the pipe early: no more to say, and no error either.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
      throw error;
    });
  const asks = process.stdin.isTTY && process.stdout.isTTY && !isSet(env.CI);
  return {
    stdout: out(process.stdout, env),
    stderr: out(process.stderr, env),
    ...(asks ? { terminal: { input: process.stdin, output: process.stderr } } : {}),
    env,
    home: env.HOME || homedir(),
    cwd: workingFolder(env),
    now: () => new Date(),
  };
}

function out(stream: NodeJS.WriteStream, env: Io['env']): Out {
  return {
    write: (text) => {
      stream.write(text);
    },
    isTTY: Boolean(stream.isTTY),
    get columns() {
      return stream.columns || 80;
    },
    paint: pc.createColors(showsColours(Boolean(stream.isTTY), env)),
  };
}

/** Colours by https://no-color.org and FORCE_COLOR; without either, on a terminal that is not dumb. */
export function showsColours(isTTY: boolean, env: Io['env']): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR !== undefined) return isSet(env.FORCE_COLOR);
  return isTTY && env.TERM !== 'dumb';
}

const isSet = (value: string | undefined): boolean => Boolean(value) && value !== '0' && value !== 'false';

/** process.cwd() throws when the folder was removed; what the shell said last is good enough to report that. */
function workingFolder(env: Io['env']): string {
  try {
    return process.cwd();
  } catch {
    return env.PWD || '/';
  }
}
