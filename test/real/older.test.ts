import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claudeClient, type Resumed } from '../support/claude-client.ts';
import { client } from '../support/clients.ts';
import { codexClient } from '../support/codex-client.ts';
import { proveFidelity } from '../support/fidelity.ts';
import { type Agent, walk } from '../support/layout.ts';
import type { Loopback } from '../support/loopback.ts';
import { startAnthropic } from '../support/model-server-anthropic.ts';
import { startOpenAI } from '../support/model-server-openai.ts';
import { requires } from '../support/requires.ts';
import { scratch } from '../support/scratch.ts';

const AGENTS: Agent[] = ['claude-code', 'codex'];

/** Has an older client record a session with a command in it. Answers its file. */
const RECORD: Record<Agent, (home: string) => Promise<string>> = {
  'claude-code': (home) =>
    record(
      home,
      '.claude/projects',
      startAnthropic([{ text: 'I look.', tool: 'Bash', input: { command: 'echo seen-by-old', description: 'Look' } }, 'It says so.']),
      (server) => claudeClient(client('claude-code-old') as string, home, server),
    ),
  codex: (home) =>
    record(
      home,
      '.codex/sessions',
      startOpenAI([{ text: 'I look.', calls: [{ name: 'exec_command', args: { cmd: 'echo seen-by-old' } }] }, 'It says so.']),
      (server) => codexClient(client('codex-old') as string, home, server),
    ),
};

async function record(
  home: string,
  folder: string,
  starting: Promise<Loopback>,
  driver: (server: Loopback) => { start(cwd: string, prompt: string): Promise<Resumed> },
): Promise<string> {
  const server = await starting;
  const ended = await driver(server).start(home, 'What does it say?');
  await server.close();
  const files = walk(join(home, folder)).filter((path) => path.endsWith('.jsonl'));
  if (files.length !== 1) throw new Error(`${files.length} session files; the client said: ${ended.stderr}`);
  return files[0] as string;
}

for (const from of AGENTS) {
  requires(
    'tmux',
    'claude-code',
    'codex',
    `${from}-old`,
  )(`what an older ${from} recorded`, () => {
    const tmp = scratch('older');
    let path = '';
    beforeAll(async () => {
      path = await RECORD[from](tmp.dir);
    });
    afterAll(() => tmp.remove());

    it.each(AGENTS)('goes over to %s', async (to) => {
      const verdicts = await proveFidelity({ agent: from, path }, to);
      expect(verdicts.filter((v) => !v.ok)).toEqual([]);
      expect(verdicts.map((v) => v.what)).toEqual(['list', 'request', 'screen']);
    });
  });
}
