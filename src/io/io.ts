import { homedir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import pc from 'picocolors';
import { version } from '#lib/version.ts';
import { type ProgressLine, progressLine } from './progress.ts';

export { ask, type Choice, choose } from './ask.ts';

/** Paints text, or answers it as it is where the stream shows no colours. */
export type Paint = ReturnType<typeof pc.createColors>;

/** What is piped in, or typed on a terminal. */
export interface In {
  isTTY: boolean;
  /** its bytes as they come; once only */
  bytes(): AsyncIterable<Buffer>;
}

/** A stream that people or programs read. */
export interface Out {
  write(text: string): void;
  /** Bytes just as they are. Settles when they are taken, so that a slow reader holds up whoever writes. OutputClosed where nobody takes them. */
  send(bytes: Uint8Array): Promise<void>;
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
  stdin: In;
  /** results */
  stdout: Out;
  /** everything else: progress, notes, warnings, errors */
  stderr: Out;
  /** Somebody can answer: `terminal` is there. False without a TTY and in CI; then nothing is ever asked. */
  interactive: boolean;
  terminal?: { input: Readable; output: Writable };
  /** Says on one line of a terminal's stderr what is going on; the next thing printed takes its place. */
  progress(text: string): void;
  env: Record<string, string | undefined>;
  home: string;
  cwd: string;
  /** relay's own version */
  version: string;
  /** how relay was started: the paths of Node.js and of relay's program */
  program: readonly [node: string, relay: string];
  now(): Date;
  /** hears which repository the command works in: the git folder that all its work trees share */
  found?(commonDir: string): void;
}

/** The Io of this process. */
export function processIo(): Io {
  const { env } = process;
  for (const stream of [process.stdout, process.stderr])
    stream.once('error', (error: NodeJS.ErrnoException) => tellFailure(stream, error)).on('error', () => {});
  const interactive = process.stdin.isTTY && process.stdout.isTTY && process.stderr.isTTY && !isSet(env.CI);
  const progress = progressLine(
    (text) => process.stderr.write(text),
    process.stderr.isTTY && env.TERM !== 'dumb' ? () => process.stderr.columns || 80 : undefined,
  );
  return {
    stdin: { isTTY: Boolean(process.stdin.isTTY), bytes: () => process.stdin },
    stdout: out(process.stdout, env, progress),
    stderr: out(process.stderr, env, progress),
    interactive: Boolean(interactive),
    ...(interactive ? { terminal: { input: process.stdin, output: process.stderr } } : {}),
    progress: progress.say,
    env,
    home: env.HOME || homedir(),
    cwd: workingFolder(env),
    version,
    program: [process.execPath, process.argv[1] ?? ''],
    now: () => new Date(),
  };
}

/**
 * Output that cannot be written stops no command, and whatever it ends with stays its exit code; 1 instead of 0 where it is a fault.
 * `relay list | head` closes the pipe early: no more to say, and no error either.
 */
function tellFailure(stream: NodeJS.WriteStream, { code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return;
  process.exitCode ||= 1;
  if (stream === process.stdout) process.stderr.write(`relay: The output cannot be written: ${/^\w+: ([^,]+)/.exec(message)?.[1] ?? message}.\n`);
}

/** Nothing more can be given out, so there is no use in making it. Whatever had to be said about that was said. */
export class OutputClosed extends Error {}

function out(stream: NodeJS.WriteStream, env: Io['env'], progress: ProgressLine): Out {
  return {
    write: (text) => {
      progress.end();
      stream.write(text);
    },
    send: (bytes) => new Promise((done, fail) => stream.write(bytes, (error) => (error ? fail(new OutputClosed()) : done()))),
    isTTY: Boolean(stream.isTTY),
    get columns() {
      return stream.columns || 80;
    },
    paint: pc.createColors(showsColours(Boolean(stream.isTTY), env)),
  };
}

/** Prints the one document of `--json`. */
export function printJson(io: Io, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
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
