import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Loopback, Recorded } from './loopback.ts';
import { runProgram } from './processes.ts';
import { openTerminal } from './tmux.ts';

const KEY = 'made-up-key-for-the-loopback-server';

/** What came of one resume: the last accepted main request for its prompt, and everything that went wrong. */
export interface Resumed {
  request: Recorded | undefined;
  /** what the validating server objected to */
  faults: string[];
  code: number | string | null;
  /** the session id that the client itself reports */
  session: string | undefined;
  stderr: string;
  stdout?: string;
}

export interface ClaudeClient {
  /** A new session: `claude -p`. */
  start(cwd: string, prompt: string, args?: string[]): Promise<Resumed>;
  /** `claude -p --resume <id>`. The prompt must be one that no other run uses: it tells whose request is whose. */
  resume(cwd: string, id: string, prompt: string): Promise<Resumed>;
  /** Types prompts into the interactive client, each once the screen shows what the one before waits for; the last screen. */
  talk(cwd: string, lines: readonly (readonly [say: string, until: string])[]): Promise<string>;
  /** What `/context` says of a session with this model: text of the client, which calls no model and writes nothing for it. */
  context(cwd: string, id: string, model: string, more?: Record<string, string>): Promise<string>;
  /** The screen of the picker `claude --resume`. */
  picker(cwd: string, done: (screen: string) => boolean): Promise<string>;
  /** What the interactive client shows of a session that it resumes: its screen, then its detailed transcript (Ctrl+O), which has the tools' output. */
  screen(cwd: string, id: string, done: (screen: string) => boolean): Promise<string>;
}

/**
 * Drives the genuine Claude Code in a HOME of its own, offline, against a loopback server.
 * @param more further variables
 */
export function claudeClient(binary: string, home: string, server: Loopback, more: Record<string, string> = {}): ClaudeClient {
  const env: Record<string, string> = {
    HOME: home,
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    IS_SANDBOX: '1',
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: KEY,
    HTTPS_PROXY: 'http://127.0.0.1:9',
    HTTP_PROXY: 'http://127.0.0.1:9',
    NO_PROXY: '127.0.0.1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    ...more,
  };
  const print = async (cwd: string, prompt: string, args: string[]): Promise<Resumed> => {
    const ended = await runProgram(binary, ['-p', prompt, '--output-format', 'json', '--dangerously-skip-permissions', ...args], { cwd, env });
    const mine = server.requests.filter((r) => r.kind === 'main' && lastUserText(r).includes(prompt));
    return {
      request: mine.findLast((r) => !r.fault),
      faults: mine.flatMap((r) => r.fault ?? []),
      code: ended.code,
      session: sessionOf(ended.stdout),
      stdout: ended.stdout,
      stderr: ended.stderr || (ended.code === 0 ? '' : ended.stdout),
    };
  };
  const watch = async (cwd: string, args: string[], done: (screen: string) => boolean, then: string[] = []): Promise<string> => {
    trust(home, cwd);
    const terminal = openTerminal([binary, ...args], { cwd, env, width: 200, height: 150 });
    try {
      await terminal.until(done, 20_000);
      const seen = terminal.scrollback();
      if (then.length === 0) return seen;
      terminal.keys(...then);
      await terminal.until((screen) => /transcript/i.test(screen), 5000);
      return `${seen}\n${terminal.scrollback()}`;
    } finally {
      await terminal.close();
    }
  };
  return {
    talk: async (cwd, lines) => {
      trust(home, cwd);
      const terminal = openTerminal([binary, '--dangerously-skip-permissions'], { cwd, env, width: 160, height: 60 });
      try {
        await terminal.until((screen) => /bypass permissions on/i.test(screen));
        for (const [say, until] of lines) {
          terminal.keys(say);
          await terminal.until((screen) => screen.includes(say));
          terminal.keys('Enter');
          await terminal.until((screen) => screen.includes(until));
        }
        return terminal.screen();
      } finally {
        await terminal.close();
      }
    },
    start: (cwd, prompt, args = []) => print(cwd, prompt, args),
    resume: (cwd, id, prompt) => print(cwd, prompt, ['--resume', id]),
    context: async (cwd, id, model, more) => {
      const args = ['-p', '/context', '--resume', id, '--model', model, '--no-session-persistence'];
      const ended = await runProgram(binary, args, { cwd, env: { ...env, ...more } });
      return ended.stdout || ended.stderr;
    },
    picker: (cwd, done) => watch(cwd, ['--resume'], done),
    screen: (cwd, id, done) => watch(cwd, ['--resume', id], done, ['C-o']),
  };
}

function lastUserText(request: Recorded): string {
  const last = request.body?.messages?.findLast((m: { role: string }) => m.role === 'user');
  if (typeof last?.content === 'string') return last.content;
  return (last?.content ?? []).map((block: { text?: string }) => block.text ?? '').join('\n');
}

function sessionOf(stdout: string): string | undefined {
  try {
    return JSON.parse(stdout).session_id;
  } catch {
    return undefined;
  }
}

/** Answers the client's first-run questions (onboarding, key, trust in the folder) before it asks them. */
function trust(home: string, cwd: string): void {
  const path = join(home, '.claude.json');
  const config = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  config.hasCompletedOnboarding = true;
  config.theme = 'dark';
  config.customApiKeyResponses = { approved: [KEY.slice(-20)], rejected: [] };
  config.projects = { ...config.projects, [cwd]: { ...config.projects?.[cwd], hasTrustDialogAccepted: true } };
  writeFileSync(path, JSON.stringify(config));
  mkdirSync(join(home, '.claude'), { recursive: true });
  const settings = join(home, '.claude', 'settings.json');
  if (!existsSync(settings)) writeFileSync(settings, JSON.stringify({ skipDangerousModePermissionPrompt: true }));
}
