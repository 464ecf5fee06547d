import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Resumed } from './claude-client.ts';
import type { Loopback, Recorded } from './loopback.ts';
import { runProgram } from './processes.ts';
import { openTerminal, type Terminal } from './tmux.ts';

/** A thread as the client's own server tells of it. */
export interface Thread {
  id: string;
  name: string | null;
  preview: string;
  cwd: string;
  // biome-ignore lint/suspicious/noExplicitAny: the client's own shapes
  turns: any[];
}

export interface CodexClient {
  /** A new session: `codex exec`. */
  start(cwd: string, prompt: string, args?: string[]): Promise<Resumed>;
  /** `codex exec resume <id>`. The prompt must be one that no other run uses: it tells whose request is whose. */
  resume(cwd: string, id: string, prompt: string): Promise<Resumed>;
  /** What its own server lists for that folder (thread/list with its default filters). */
  list(cwd: string): Promise<Thread[]>;
  /** Threads with their turns (thread/read), in the order asked for; undefined where the client refuses. */
  read(cwd: string, ids: string[]): Promise<(Thread | undefined)[]>;
  /** Starts the interactive client and does what its review of new hooks offers: trust all and continue. The screens that were seen. */
  trustHooks(cwd: string): Promise<string>;
  /** What the interactive client shows of a session that it resumes. */
  screen(cwd: string, id: string, done: (screen: string) => boolean): Promise<string>;
  /** What the interactive client's `/status` shows of a session that it resumes. `first`: a command to be given before, and what shows that it is done. */
  status(cwd: string, id: string, first?: [command: string, done: string]): Promise<string>;
}

/**
 * Drives the genuine Codex in a HOME of its own, offline, against a loopback server.
 * @param more further variables
 */
export function codexClient(binary: string, home: string, server: Loopback, provider = 'mock', more: Record<string, string> = {}): CodexClient {
  const env: Record<string, string> = {
    HOME: home,
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    RELAY_TEST_KEY: 'made-up',
    HTTPS_PROXY: 'http://127.0.0.1:9',
    HTTP_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1',
    ...more,
  };
  configure(home, server.url, provider);
  const exec = async (cwd: string, prompt: string, args: string[]): Promise<Resumed> => {
    const ended = await runProgram(binary, ['exec', ...args, prompt], { cwd, env });
    const mine = server.requests.filter((r) => r.kind === 'main' && lastUserText(r).includes(prompt));
    return {
      request: mine.findLast((r) => !r.fault),
      faults: mine.flatMap((r) => r.fault ?? []),
      code: ended.code,
      session: threadOf(ended.stdout),
      stderr: ended.stderr,
    };
  };
  const ask = (cwd: string, calls: { method: string; params: object }[]) => appServer(binary, { cwd, env }, calls);
  const resumed = async (cwd: string, id: string, use: (terminal: Terminal) => Promise<string>): Promise<string> => {
    trust(home, cwd);
    const terminal = openTerminal([binary, '--no-daemon', '--no-alt-screen', 'resume', id], { cwd, env, width: 200, height: 150 });
    try {
      return await use(terminal);
    } finally {
      await terminal.close();
    }
  };
  return {
    start: (cwd, prompt, args = []) => exec(cwd, prompt, ['--skip-git-repo-check', '--json', ...args]),
    resume: (cwd, id, prompt) => exec(cwd, prompt, ['resume', '--skip-git-repo-check', '--json', id]),
    list: async (cwd) => {
      const [answer] = await ask(cwd, [{ method: 'thread/list', params: { limit: 200, cwd } }]);
      return answer?.result?.data ?? [];
    },
    read: async (cwd, ids) => {
      const answers = await ask(
        cwd,
        ids.map((threadId) => ({ method: 'thread/read', params: { threadId, includeTurns: true } })),
      );
      return answers.map((answer) => answer.result?.thread);
    },
    trustHooks: async (cwd) => {
      trust(home, cwd);
      const asks = (screen: string) => screen.includes('Trust all and continue');
      const terminal = openTerminal([binary, '--no-daemon', '--no-alt-screen'], { cwd, env, width: 160, height: 50 });
      try {
        const asked = await terminal.until(asks);
        terminal.keys('2', 'Enter');
        return `${asked}\n${await terminal.until((screen) => !asks(screen))}`;
      } finally {
        await terminal.close();
      }
    },
    screen: (cwd, id, done) =>
      resumed(cwd, id, async (terminal) => {
        const seen = await terminal.until(done, 20_000);
        return `${terminal.scrollback()}\n${seen}`;
      }),
    status: (cwd, id, first) =>
      resumed(cwd, id, async (terminal) => {
        await terminal.until((screen) => screen.includes('›'), 30_000);
        if (first) await say(terminal, ...first);
        return say(terminal, '/status', 'Context window');
      }),
  };
}

/** Gives a slash command and waits for what it brings up. */
async function say(terminal: Terminal, command: string, done: string): Promise<string> {
  terminal.keys(command);
  await terminal.until((screen) => screen.includes(`› ${command}`), 5000);
  // Enter sent too early takes what the list of commands offers first.
  await sleep(500);
  terminal.keys('Enter');
  return terminal.until((screen) => screen.includes(done), 20_000);
}

/** Points the client at the loopback server and keeps it off everything else. Unknown model names bring up no offers in its screens. */
function configure(home: string, url: string, provider: string): void {
  mkdirSync(join(home, '.codex'), { recursive: true });
  writeFileSync(
    join(home, '.codex', 'config.toml'),
    `model = "mock-model"
model_provider = "${provider}"
openai_base_url = "${url}/v1"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
model_context_window = 200000

[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
env_key = "RELAY_TEST_KEY"
wire_api = "responses"
supports_websockets = false
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[features]
enable_request_compression = false
daemon_auto_start = false
apps = false
plugins = false
`,
  );
}

function trust(home: string, cwd: string): void {
  const path = join(home, '.codex', 'config.toml');
  const table = `[projects.${JSON.stringify(cwd)}]`;
  if (!existsSync(path) || !readFileSync(path, 'utf8').includes(table)) appendFileSync(path, `\n${table}\ntrust_level = "trusted"\n`);
}

function lastUserText(request: Recorded): string {
  const last = request.body?.input?.findLast((item: { role?: string }) => item.role === 'user');
  return (last?.content ?? []).map((part: { text?: string }) => part.text ?? '').join('\n');
}

function threadOf(stdout: string): string | undefined {
  const line = stdout.split('\n').find((text) => text.includes('"thread.started"'));
  return line && JSON.parse(line).thread_id;
}

// biome-ignore lint/suspicious/noExplicitAny: JSON-RPC answers of the client
type Answer = { id?: number; result?: any; error?: any };

/** Starts `codex app-server`, makes the calls in order, and ends it. */
async function appServer(
  binary: string,
  options: { cwd: string; env: Record<string, string> },
  calls: { method: string; params: object }[],
): Promise<Answer[]> {
  const child = spawn(binary, ['app-server'], { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer;
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  const gone = new Promise<void>((done) => child.on('close', () => done()));
  const call = (id: number, method: string, params: object) =>
    Promise.race([
      new Promise<Answer>((done) => {
        waiting.set(id, done);
        child.stdin.write(`${JSON.stringify({ id, method, params })}\n`);
      }),
      gone.then((): Answer => ({ error: 'the client ended' })),
    ]);
  const timer = setTimeout(() => child.kill('SIGKILL'), 60_000);
  await call(0, 'initialize', { clientInfo: { name: 'relay_test', title: 'relay test', version: '0.0.1' }, capabilities: { experimentalApi: true } });
  child.stdin.write(`${JSON.stringify({ method: 'initialized' })}\n`);
  const answers: Answer[] = [];
  for (const [index, { method, params }] of calls.entries()) answers.push(await call(index + 1, method, params));
  clearTimeout(timer);
  child.kill('SIGTERM');
  await gone;
  return answers;
}
