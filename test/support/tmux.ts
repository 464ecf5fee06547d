import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './processes.ts';

export interface Terminal {
  /** what is on the screen now */
  screen(): string;
  /** the screen and what was scrolled off it */
  scrollback(): string;
  keys(...keys: string[]): void;
  /** Waits until `done` holds for the screen; returns the screen, also when the time is up or nothing has moved for long. */
  until(done: (screen: string) => boolean, ms?: number): Promise<string>;
  /** Ends the program and waits until it is gone. */
  close(): Promise<void>;
}

/** ms after which a screen that stays the same will stay so; a loaded machine starts slowly. */
const STILL = 6000;
let serial = 0;

/** Runs a program in a terminal of its own: a tmux server that nobody else uses, with exactly the given environment. */
export function openTerminal(program: string[], options: { cwd: string; env: Record<string, string>; width?: number; height?: number }): Terminal {
  const socket = `relay-test-${process.pid}-${++serial}`;
  const tmux = (...args: string[]): string => {
    try {
      return execFileSync('tmux', ['-L', socket, ...args], { env: options.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 64 << 20 });
    } catch {
      return '';
    }
  };
  execFileSync(
    'tmux',
    [
      '-L',
      socket,
      '-f',
      '/dev/null',
      'start-server',
      ';',
      'set-option',
      '-g',
      'history-limit',
      '50000',
      ';',
      'new-session',
      '-d',
      '-s',
      's',
      '-x',
      String(options.width ?? 160),
      '-y',
      String(options.height ?? 50),
      '-c',
      options.cwd,
      '--',
      ...program,
    ],
    { env: options.env, stdio: 'ignore' },
  );
  const screen = () => tmux('capture-pane', '-p', '-J', '-t', 's');
  return {
    screen,
    scrollback: () => tmux('capture-pane', '-p', '-J', '-S', '-50000', '-t', 's'),
    keys: (...keys) => void tmux('send-keys', '-t', 's', ...keys),
    async until(done, ms = 20_000) {
      const end = Date.now() + ms;
      let seen = screen();
      let since = Date.now();
      while (!done(seen) && Date.now() < end && (seen.trim() === '' || Date.now() - since < STILL)) {
        await sleep(150);
        const now = screen();
        if (now !== seen) since = Date.now();
        seen = now;
      }
      return seen;
    },
    async close() {
      const pid = Number(tmux('display-message', '-p', '-t', 's', '#{pane_pid}'));
      tmux('kill-server');
      // The program is told to hang up and may take its time, writing to its home all the while.
      for (let tries = 0; pid > 0 && isRunning(pid); tries++) {
        if (tries === 20) process.kill(pid, 'SIGKILL');
        await sleep(100);
      }
    },
  };
}
