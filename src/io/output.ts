import type { Io } from './io.ts';

/** Prints the one document of `--json`. */
export function printJson(io: Io, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}

export interface Progress {
  /** Replaces the line. */
  say(text: string): void;
  /** Takes the line away. */
  end(): void;
}

/** One line on stderr that says what is going on; nothing at all where stderr is no terminal. */
export function progressLine(io: Io): Progress {
  const { stderr } = io;
  if (!stderr.isTTY || io.env.TERM === 'dumb') return { say: () => {}, end: () => {} };
  let shown = false;
  return {
    say(text) {
      stderr.write(`\r\u001b[2K${stderr.paint.dim(text.replace(/\p{Cc}/gu, ' ').slice(0, Math.max(10, stderr.columns - 1)))}`);
      shown = true;
    },
    end() {
      if (shown) stderr.write('\r\u001b[2K');
      shown = false;
    },
  };
}
