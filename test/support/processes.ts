import { spawn } from 'node:child_process';

export interface Ended {
  code: number | string | null;
  stdout: string;
  stderr: string;
}

/** Runs a program to its end, with exactly the given environment and input (default: none). It is killed after `timeout` ms. */
export function runProgram(
  program: string,
  args: string[],
  options: { cwd: string; env: Record<string, string>; timeout?: number; input?: string | Buffer },
): Promise<Ended> {
  return new Promise((done, fail) => {
    const child = spawn(program, args, { cwd: options.cwd, env: options.env, stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] });
    // A program may end before it has read all.
    child.stdin?.on('error', () => {}).end(options.input);
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout?.on('data', (chunk) => out.push(chunk));
    child.stderr?.on('data', (chunk) => err.push(chunk));
    const timer = setTimeout(() => child.kill('SIGKILL'), options.timeout ?? 60_000);
    child.on('error', fail);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      done({ code: code ?? signal, stdout: Buffer.concat(out).toString('utf8'), stderr: Buffer.concat(err).toString('utf8') });
    });
  });
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
