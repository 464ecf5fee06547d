import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { RelayError } from '#lib/errors.ts';
import { type Env, isUnattended } from './env.ts';
import { hideUserinfo } from './url.ts';

/** Where git works. `env` comes from gitEnv(); `gitDir` names a repository instead of looking for one from `cwd`, and `workTree` the top of its work tree. */
export interface GitPlace {
  env: Env;
  cwd?: string;
  gitDir?: string;
  workTree?: string;
}

interface GitResult {
  code: number;
  stdout: Buffer;
  stderr: string;
}

export interface GitProcess {
  child: ChildProcessByStdio<Writable, Readable, Readable>;
  /** Settles when git has ended and its output is read. Never rejects but for a git that cannot be started. */
  ended: Promise<{ code: number; stderr: string }>;
}

/** What ends each git that runs. */
const running = new Set<() => void>();

/** Ends every git that this process has started and that has not ended: one that waits for a remote would outlive it. */
export function stopRunning(): void {
  for (const stop of running) stop();
}

/** Whatever ends this process ends the gits that it runs, too. */
export function stopWithSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => {
      stopRunning();
      process.kill(process.pid, signal);
    });
}

/**
 * Starts git. The only place that does. stdin and stdout are the caller's, stderr is collected (its last 64 KB). Where nobody is there to answer, git gets a
 * session of its own: without a terminal neither it nor an ssh that it starts can ask there.
 */
export function startGit(place: GitPlace, args: readonly string[]): GitProcess {
  const named = [...(place.gitDir ? [`--git-dir=${place.gitDir}`] : []), ...(place.workTree ? [`--work-tree=${place.workTree}`] : [])];
  const argv = [...named, ...args];
  const detached = isUnattended(place.env);
  const child = spawn('git', argv, { cwd: place.cwd, env: place.env as NodeJS.ProcessEnv, stdio: ['pipe', 'pipe', 'pipe'], detached, windowsHide: true });
  const stop = (): void => (detached ? endGroup(child.pid) : void child.kill());
  running.add(stop);
  child.once('close', () => running.delete(stop));
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr = (stderr + chunk.toString('utf8')).slice(-65536);
  });
  // A git that ends early closes the pipe; its exit code and message say why.
  child.stdin.on('error', () => {});
  const ended = new Promise<{ code: number; stderr: string }>((resolve, reject) => {
    child.on('error', (error: NodeJS.ErrnoException) => reject(cannotStart(error, place)));
    child.on('close', (code, signal) => resolve({ code: code ?? (signal ? 128 : 1), stderr: hideUserinfo(stderr) }));
  });
  ended.catch(() => {});
  return { child, ended };
}

/** Ends a git that leads a group of processes, with all that it has started. */
function endGroup(id: number | undefined): void {
  try {
    if (id) process.kill(-id, 'SIGTERM');
  } catch {
    // It has ended.
  }
}

function cannotStart(error: NodeJS.ErrnoException, place: GitPlace): RelayError {
  if (error.code === 'ENOENT' && !place.cwd) return new RelayError('failed', 'git was not found.', 'Install git and make sure that it is on the PATH.');
  return new RelayError(
    'failed',
    `git cannot be started${place.cwd ? ` in ${place.cwd}` : ''}: ${error.message}.`,
    'Check that git is on the PATH and that the folder exists.',
  );
}

/** Runs git and answers its exit code and output, whatever they are. */
export async function tryGit(place: GitPlace, args: readonly string[], input?: string | Buffer): Promise<GitResult> {
  const { child, ended } = startGit(place, args);
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  child.stdin.end(input ?? '');
  const { code, stderr } = await ended;
  return { code, stdout: Buffer.concat(chunks), stderr };
}

/** Runs git and answers its output as text. RelayError with git's own message when it fails. */
export async function git(place: GitPlace, args: readonly string[], input?: string | Buffer): Promise<string> {
  const { code, stdout, stderr } = await tryGit(place, args, input);
  if (code !== 0) throw gitFailed(args, stderr, code);
  return stdout.toString('utf8');
}

/** The error for a git that failed: its own last words, without userinfo. */
function gitFailed(args: readonly string[], stderr: string, code: number): RelayError {
  const verb = args.find((arg, i) => !arg.startsWith('-') && args[i - 1] !== '-c') ?? '';
  return new RelayError('failed', `git ${verb} failed: ${lastWords(stderr) || `exit code ${code}`}`);
}

/** What git says about a failure: its fatal and error lines, else the last line. */
export function lastWords(stderr: string): string {
  const lines = hideUserinfo(stderr)
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter(Boolean);
  const telling = lines.filter((line) => /^(remote: )?(fatal|error|ssh):/i.test(line) || /permission denied|could not|refused/i.test(line));
  return (telling.length ? telling.slice(0, 3) : lines.slice(-1)).join('; ');
}
