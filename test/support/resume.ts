import { claudeClient, type Resumed } from './claude-client.ts';
import { client } from './clients.ts';
import { codexClient } from './codex-client.ts';
import type { Person } from './lab.ts';
import type { Agent } from './layout.ts';
import { startAnthropic } from './model-server-anthropic.ts';
import { startOpenAI } from './model-server-openai.ts';

/** What a real client sends when it resumes an imported session, against a loopback server of its own. */
export async function resumeFor(person: Person, imported: { agent: Agent; session: string; resume: { cwd: string } }): Promise<Resumed> {
  const program = client(imported.agent);
  if (!program) throw new Error(`${imported.agent} is not installed (npx tsx scripts/clients.ts installs it)`);
  const server = imported.agent === 'codex' ? await startOpenAI() : await startAnthropic();
  try {
    const driver = imported.agent === 'codex' ? codexClient(program, person.home, server) : claudeClient(program, person.home, server);
    return await driver.resume(imported.resume.cwd, imported.session, 'Where were we?');
  } finally {
    await server.close();
  }
}

/** Every string of the request, in the order in which they stand in it. */
export async function requestTexts(person: Person, imported: Parameters<typeof resumeFor>[1]): Promise<string> {
  const { request, faults, stderr } = await resumeFor(person, imported);
  if (!request) throw new Error(`the client made no request: ${faults.join('; ')} ${stderr.slice(0, 500)}`);
  return strings(imported.agent === 'codex' ? request.body.input : request.body.messages).join('\n');
}

const strings = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(strings) : [];
};
