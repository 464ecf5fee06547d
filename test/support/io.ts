import { createColors } from 'picocolors';
import type { Io, Out } from '#io/io.ts';

export interface TestIo extends Io {
  /** what was written so far */
  printed: { stdout: string; stderr: string };
}

/** The Io of a test: nothing of this process shows through, and what is printed is kept. */
export function testIo(over: Partial<Pick<Io, 'env' | 'home' | 'cwd' | 'now' | 'terminal'>> & { tty?: boolean } = {}): TestIo {
  const { tty = false, ...rest } = over;
  const printed = { stdout: '', stderr: '' };
  const out = (name: keyof typeof printed): Out => ({
    write: (text) => {
      printed[name] += text;
    },
    send: async (bytes) => {
      printed[name] += Buffer.from(bytes).toString();
    },
    isTTY: tty,
    columns: 80,
    paint: createColors(false),
  });
  return {
    stdin: { isTTY: tty, bytes: async function* () {} },
    stdout: out('stdout'),
    stderr: out('stderr'),
    interactive: rest.terminal !== undefined,
    progress: () => {},
    env: {},
    home: '/nowhere',
    cwd: '/nowhere',
    version: '0.0.0-test',
    program: [process.execPath, '/nowhere/relay.js'],
    now: () => new Date('2026-01-02T03:04:05Z'),
    printed,
    ...rest,
  };
}
