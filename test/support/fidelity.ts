import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type ClaudeClient, claudeClient, type Resumed } from './claude-client.ts';
import { client } from './clients.ts';
import { type CodexClient, codexClient, type Thread } from './codex-client.ts';
import { layOut } from './fixtures.ts';
import { type Lab, lab } from './lab.ts';
import { type Agent, dashed, type LaidOut, type Place } from './layout.ts';
import type { Loopback } from './loopback.ts';
import { startAnthropic } from './model-server-anthropic.ts';
import { startOpenAI } from './model-server-openai.ts';
import { compareRequest, reduceClaude, reduceCodex, type Seen } from './reduce.ts';

/** Any session on disk: its main file, or the folder that holds it. */
export interface Input {
  agent: Agent;
  path: string;
}

/** git: from one person's home through a bare remote to another's clone and home. local: within one home, without Git. */
export type Route = 'git' | 'local';

export interface Verdict {
  what: 'import' | 'request' | 'list' | 'screen';
  ok: boolean;
  /** what differs; "" where all is well */
  detail: string;
}

/** What `import --json` says. */
interface Imported {
  session: string;
  title: string;
  resume: { command: string; args: string[]; cwd: string };
  loss: { kind: string; action: string; reason: string }[];
}

/** A session that was carried over, resumed by the real client. */
export interface Carried {
  imported: Imported;
  expected: Seen[];
  resumed: Resumed;
  request: Verdict;
}

/** Where sessions of one direction arrive: one home and one folder for all of them, so that one look at the client's list shows them all. */
export interface Stage {
  to: Agent;
  /** Brings a session over and resumes it with the real client. */
  carry(input: Input): Promise<Carried>;
  /** Whether the client's own list shows each under its title. */
  listed(carried: Carried[]): Promise<Verdict[]>;
  /** Whether the client's own screen shows what was said and what a tool put out. */
  shown(carried: Carried): Promise<Verdict>;
  close(): Promise<void>;
}

const PROMPT = 'What was the last thing that we did?';
const promptNumber = (() => {
  let n = 0;
  return () => `${PROMPT} (${++n})`;
})();

/** Proves on one session that the real client of `to` lists, shows and resumes it with its whole history. */
export async function proveFidelity(input: Input, to: Agent, route: Route = 'git'): Promise<Verdict[]> {
  const stage = await openStage(to, route);
  try {
    const carried = await stage.carry(input);
    return [carried.request, ...(await stage.listed([carried])), await stage.shown(carried)];
  } catch (error) {
    return [{ what: 'import', ok: false, detail: error instanceof Error ? error.message : String(error) }];
  } finally {
    await stage.close();
  }
}

/** Sets up the receiving side. The clients must be installed. */
export async function openStage(to: Agent, route: Route): Promise<Stage> {
  const world = lab('relay-stage-');
  const servers = { 'claude-code': await startAnthropic(), codex: await startOpenAI() };
  const bob = world.person('bob');
  const remote = world.bare('shop');
  const folder = route === 'git' ? world.project(bob, 'bob/code/shop', remote) : join(world.root, 'bob', 'notes');
  mkdirSync(folder, { recursive: true });
  const place = { home: bob.home, cwd: folder };
  const driver = drive(to, bob.home, servers[to]);
  let count = 0;
  return {
    to,
    async carry(input) {
      const number = ++count;
      const truth = await sourceRequest(input, join(world.root, 'truth', String(number)), servers[input.agent]);
      const name = route === 'git' ? await send(world, remote, input, number) : nameOf(layOut(input.agent, input.path, bob.home, folder));
      if (route === 'git') await world.json(bob, folder, 'pull', name);
      const imported = await world.json<Imported>(bob, folder, 'import', name, '--to', to);
      const resumed = await driver.resume(folder, imported.session, promptNumber());
      const moved = moveText(truth.place, place, [truth.id, imported.session]);
      const expected = moved(truth.seen);
      return { imported, expected, resumed, request: judge(input, to, expected, moved(reduce(to, resumed)), resumed, imported.session) };
    },
    listed: (carried) => driver.listed(folder, carried),
    shown: (carried) => driver.shown(folder, carried),
    async close() {
      await Promise.all([servers['claude-code'].close(), servers.codex.close()]);
      world.done();
    },
  };
}

const nameOf = ({ agent, id }: LaidOut): string => `${agent}:${id}`;

/** Lays the session out in a sender's home and clone, and pushes it. Answers the handoff's name. */
async function send(world: Lab, remote: string, input: Input, number: number): Promise<string> {
  const ann = world.person(`ann${number}`);
  const clone = world.clone(ann, `ann${number}/src/my shop`, remote);
  const { handoffs } = await world.json<{ handoffs: { handoff: string }[] }>(ann, clone, 'push', nameOf(layOut(input.agent, input.path, ann.home, clone)));
  return handoffs[0]?.handoff ?? '';
}

/** What the source's own client sends when it resumes the session: the ground truth, which takes no reader of relay. */
async function sourceRequest(input: Input, home: string, server: Loopback): Promise<{ id: string; place: Place; seen: Seen[] }> {
  const laid = layOut(input.agent, input.path, home, join(home, 'src', 'shop'));
  const resumed = await drive(input.agent, home, server, laid.provider).resume(laid.cwd, laid.id, promptNumber());
  if (!resumed.request) throw new Error(`the source's own client does not resume ${input.path}: ${resumed.faults.join('; ') || resumed.stderr.slice(0, 500)}`);
  return { id: laid.id, place: laid, seen: withoutPrompt(reduce(input.agent, resumed)) };
}

const reduce = (agent: Agent, { request }: Resumed): Seen[] =>
  agent === 'claude-code' ? reduceClaude(request?.body.messages ?? []) : reduceCodex(request?.body.input ?? []);

function judge(input: Input, to: Agent, expected: Seen[], actual: Seen[], resumed: Resumed, session: string): Verdict {
  const faults = resumed.faults.map((fault) => `the service refuses it: ${fault}`);
  if (!resumed.request) return { what: 'request', ok: false, detail: [...faults, `no request was made: ${resumed.stderr.slice(0, 500)}`].join('\n') };
  const other = resumed.session === session ? [] : [`the client went on in ${resumed.session}, not in ${session}`];
  const differences = compareRequest(expected, withoutPrompt(actual), {
    mode: input.agent === to ? 'same' : 'other',
    extra: (text) => /\bimported by relay\b/.test(text),
  });
  const all = [...faults, ...other, ...differences];
  return { what: 'request', ok: all.length === 0, detail: all.join('\n') };
}

/** Without the prompt of the test, and what Claude Code puts before a prompt that follows another. */
function withoutPrompt(seen: Seen[]): Seen[] {
  const out = [...seen];
  const last = out.at(-1);
  if (last?.kind === 'text' && last.text.startsWith(PROMPT)) out.pop();
  const before = out.at(-1);
  if (before?.kind === 'text' && before.text === 'No response requested.') out.pop();
  return out;
}

/** Puts the receiver's paths for the truth's, and one sign for the session's own id, which an import changes. */
function moveText(from: Place, to: Place, ids: string[]): (seen: Seen[]) => Seen[] {
  const pairs = [
    [from.cwd, to.cwd],
    [dashed(from.cwd), dashed(to.cwd)],
    [from.home, to.home],
    [dashed(from.home), dashed(to.home)],
    ...ids.map((id) => [id, '<session>']),
  ].map((pair) => pair.map((text) => JSON.stringify(text).slice(1, -1)) as [string, string]);
  return (seen) => JSON.parse(pairs.reduce((text, [old, now]) => text.replaceAll(old, now), JSON.stringify(seen)));
}

/** What a stage needs of a client. */
interface Driver {
  resume(cwd: string, id: string, prompt: string): Promise<Resumed>;
  listed(cwd: string, carried: Carried[]): Promise<Verdict[]>;
  shown(cwd: string, carried: Carried): Promise<Verdict>;
}

function drive(agent: Agent, home: string, server: Loopback, provider?: string): Driver {
  const program = client(agent);
  if (!program) throw new Error(`${agent} is not installed (npx tsx scripts/clients.ts installs it)`);
  return agent === 'claude-code' ? driveClaude(claudeClient(program, home, server)) : driveCodex(codexClient(program, home, server, provider));
}

function driveClaude(claude: ClaudeClient): Driver {
  return {
    resume: claude.resume,
    async listed(cwd, carried) {
      const titles = carried.map(({ imported }) => firstLine(imported.title));
      const screen = await claude.picker(cwd, (text) => titles.every((title) => text.includes(title)));
      return titles.map((title) => verdict('list', screen.includes(title), `the picker does not show ${JSON.stringify(title)}:\n${clip(screen)}`));
    },
    async shown(cwd, { imported, expected }) {
      const wanted = landmarks(expected);
      const screen = await claude.screen(cwd, imported.session, (text) => wanted.said === undefined || text.includes(wanted.said));
      return judgeScreen(screen, wanted);
    },
  };
}

function driveCodex(codex: CodexClient): Driver {
  return {
    resume: codex.resume,
    async listed(cwd, carried) {
      const threads = await codex.list(cwd);
      return carried.map(({ imported }) => {
        const thread = threads.find((t) => t.id === imported.session);
        const title = firstLine(imported.title);
        return verdict(
          'list',
          thread !== undefined && [thread.name, thread.preview].some((text) => text?.includes(title)),
          `thread/list has ${JSON.stringify(shortThread(thread))} for ${JSON.stringify(title)}`,
        );
      });
    },
    async shown(cwd, { imported, expected }) {
      const [thread] = await codex.read(cwd, [imported.session]);
      return judgeScreen(thread ? texts(thread.turns).join('\n') : '', landmarks(expected));
    },
  };
}

const verdict = (what: Verdict['what'], ok: boolean, detail: string): Verdict => ({ what, ok, detail: ok ? '' : detail });
const firstLine = (title: string): string => (title.split('\n', 1)[0] ?? '').trim().slice(0, 60);
const clip = (screen: string): string => screen.replace(/\n\s*\n+/g, '\n').slice(0, 3000);
const shortThread = (thread: Thread | undefined) => thread && { name: thread.name, preview: thread.preview.slice(0, 80) };

/** Every string in a value. */
function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(texts) : [];
}

/** What must be found on the screen: a line of the last thing the assistant said, and a line of some tool's output. */
interface Landmarks {
  said: string | undefined;
  outputs: string[];
}

function landmarks(seen: Seen[]): Landmarks {
  const lines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim().slice(0, 60).trim())
      .filter((line) => line.length > 1 && !/[<*`|#]/.test(line));
  const said = seen
    .filter((item) => item.kind === 'text' && item.role === 'assistant' && item.text !== 'No response requested.')
    .flatMap((item) => lines((item as { text: string }).text))
    .at(-1);
  // A reader's own numbering and a client's wrapping are shown in other ways; commands' output is shown as it is.
  const outputs = seen.flatMap((item) => (item.kind === 'result' && item.images.length === 0 ? lines(item.text.replace(/^\s*\d+[\t→]/gm, '')) : []));
  return { said, outputs };
}

function judgeScreen(screen: string, { said, outputs }: Landmarks): Verdict {
  if (said !== undefined && !screen.includes(said)) return verdict('screen', false, `not shown: ${JSON.stringify(said)}\n${clip(screen)}`);
  if (outputs.length > 0 && !outputs.some((line) => screen.includes(line)))
    return verdict('screen', false, `no tool output is shown, such as ${JSON.stringify(outputs.slice(0, 3))}\n${clip(screen)}`);
  return verdict('screen', screen.trim() !== '', 'the screen is empty');
}
