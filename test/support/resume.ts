import { claudeClient, type Resumed } from './claude-client.ts';
import { client } from './clients.ts';
import { codexClient } from './codex-client.ts';
import type { Person } from './lab.ts';
import type { Agent } from './layout.ts';
import { startAnthropic } from './model-server-anthropic.ts';
import { startOpenAI } from './model-server-openai.ts';
import { reduceClaude, reduceCodex, type Seen } from './reduce.ts';

/** A real client in a person's home, set up before the import as it is for a person who uses it. */
export interface Installed {
  resume(imported: { session: string; resume: { cwd: string } }): Promise<Resumed>;
  close(): Promise<void>;
}

export async function installed(person: Person, agent: Agent): Promise<Installed> {
  const program = client(agent);
  if (!program) throw new Error(`${agent} is not installed (npx tsx scripts/clients.ts installs it)`);
  const server = agent === 'codex' ? await startOpenAI() : await startAnthropic();
  const driver = agent === 'codex' ? codexClient(program, person.home, server) : claudeClient(program, person.home, server);
  let asked = 0;
  // A prompt of its own tells the requests of one run from those of another.
  return { resume: ({ session, resume }) => driver.resume(resume.cwd, session, `Where were we? (${++asked})`), close: () => server.close() };
}

/** How much a model gets to see in a request, kind by kind: texts, images (those in results too), calls, results. */
export function outline({ request }: Resumed): Record<Seen['kind'], number> {
  const seen = request?.body.input ? reduceCodex(request.body.input) : reduceClaude(request?.body.messages ?? []);
  const count = (kind: Seen['kind']): number => seen.filter((one) => one.kind === kind).length;
  const inResults = seen.reduce((sum, one) => sum + (one.kind === 'result' ? one.images.length : 0), 0);
  return { text: count('text'), image: count('image') + inResults, call: count('call'), result: count('result') };
}

/** Messages or input items of a resume's request; throws when the client made none. */
export function requestItems({ request, faults, stderr }: Resumed): unknown[] {
  const items = request?.body.input ?? request?.body.messages;
  if (!items) throw new Error(`the client made no request: ${faults.join('; ')} ${stderr.slice(0, 500)}`);
  return items;
}

/** Every string of a value, in the order in which they stand in it. */
export const strings = (value: unknown): string[] => {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(strings) : [];
};
