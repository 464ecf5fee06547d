import { mkdirSync, readFileSync } from 'node:fs';
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
import { type Comparison, compareCut, compareRequest, contextOf, isInvented, reduceClaude, reduceCodex, type Seen } from './reduce.ts';
import { removeFolder } from './scratch.ts';

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
  path: string;
  title: string;
  resume: { command: string; args: string[]; cwd: string };
  loss: { kind: string; action: string; reason: string }[];
}

/** A session that was carried over. */
export interface Carried {
  input: Input;
  imported: Imported;
  truth: Truth;
  /** what should reach the model */
  expected: Seen[];
}

/** Where sessions of one direction arrive: one home and one folder for all of them, so that one look at the client's list shows them all. */
export interface Stage {
  /** Brings a session over: push, pull and import, or just import. */
  carry(input: Input): Promise<Carried>;
  /** Whether the client's own list shows each under its title. To be asked before anything is resumed, since that gives new titles. */
  listed(carried: Carried[]): Promise<Verdict[]>;
  /** Resumes it with the real client and compares what that sends. */
  resumed(carried: Carried): Promise<Verdict>;
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
    return [...(await stage.listed([carried])), await stage.resumed(carried), await stage.shown(carried)];
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
    async carry(input) {
      const number = ++count;
      const truth = await sourceRequest(input, join(world.root, 'truth', String(number)), servers[input.agent]);
      const name = route === 'git' ? await send(world, remote, input, number) : nameOf(layOut(input.agent, input.path, bob.home, folder));
      if (route === 'git') await world.json(bob, folder, 'pull', name);
      const imported = await world.json<Imported>(bob, folder, 'import', name, '--to', to);
      // What is sealed for one account means nothing to another, nor to another agent: then the whole conversation goes over.
      const whole = truth.sealed && (input.agent !== to || route === 'git');
      return { input, imported, truth, expected: moved(whole ? truth.whole : truth.seen, truth.laid, place) };
    },
    listed: (carried) => driver.listed(folder, carried),
    async resumed({ input, imported, truth, expected }) {
      const run = await driver.resume(folder, imported.session, promptNumber());
      const [want, got] = withoutIds(expected, withoutPrompt(reduce(to, run)), truth.laid, imported.session);
      const how: Comparison = { mode: input.agent === to ? 'same' : 'other', extra: isProvenance(truth.context) };
      // Over the model's budget the import says so, and hands on an extract of the older turns.
      const cut = imported.loss.some(({ kind }) => kind === 'budget');
      return judge(cut ? compareCut(want, got, how) : compareRequest(want, got, how), run, imported.session);
    },
    async shown({ input, imported, truth, expected }) {
      const wanted = landmarks(expected);
      const original = () => truth.driver.view(truth.laid.cwd, truth.laid.id, landmarks(truth.seen));
      return judgeScreen(await driver.view(folder, imported.session, wanted), wanted, input.agent === to ? original : undefined);
    },
    async close() {
      await Promise.all([servers['claude-code'].close(), servers.codex.close()]);
      await removeFolder(world.root);
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

interface Truth {
  laid: LaidOut;
  driver: Driver;
  seen: Seen[];
  /** system and developer text of that request */
  context: Set<string>;
  /** true: what the model got in place of earlier turns is sealed by its provider, so that it means something to its account only */
  sealed: boolean;
  /** all that was said, also before a sealed compaction */
  whole: Seen[];
}

/** What the source's own client sends when it resumes the session: the ground truth, which takes no reader of relay. */
async function sourceRequest(input: Input, home: string, server: Loopback): Promise<Truth> {
  const laid = layOut(input.agent, input.path, home, join(home, 'src', 'shop'));
  const whole = input.agent === 'codex' ? reduceCodex(itemsOf(laid.path)) : [];
  const driver = drive(input.agent, home, server, laid.provider);
  const resumed = await driver.resume(laid.cwd, laid.id, promptNumber());
  if (!resumed.request) throw new Error(`the source's own client does not resume ${input.path}: ${resumed.faults.join('; ') || resumed.stderr.slice(0, 500)}`);
  const sealed = resumed.request.body.input?.some((item: { type: string }) => item.type === 'compaction') ?? false;
  return { laid, driver, seen: withoutPrompt(reduce(input.agent, resumed)), context: contextOf(resumed.request.body), sealed, whole };
}

/** What a rollout itself says that the model got or gave, compactions aside. */
const itemsOf = (rollout: string): object[] =>
  readFileSync(rollout, 'utf8')
    .split('\n')
    .flatMap((line) => (line.includes('"type":"response_item"') ? [JSON.parse(line).payload] : []));

const reduce = (agent: Agent, { request }: Resumed): Seen[] =>
  agent === 'claude-code' ? reduceClaude(request?.body.messages ?? []) : reduceCodex(request?.body.input ?? []);

/** Text that relay puts in to say where a session comes from, and what the source's client had put in itself. */
const isProvenance = (context: Set<string>) => (text: string) => /\bimported by relay\b|^\[relay\] /.test(text) || context.has(text);

function judge(differences: string[], resumed: Resumed, session: string): Verdict {
  const faults = resumed.faults.map((fault) => `the service refuses it: ${fault}`);
  if (!resumed.request) return { what: 'request', ok: false, detail: [...faults, `no request was made: ${resumed.stderr.slice(0, 500)}`].join('\n') };
  const other = resumed.session === session ? [] : [`the client went on in ${resumed.session}, not in ${session}`];
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

/** Puts the receiver's paths for the truth's. */
function moved(seen: Seen[], from: Place, to: Place): Seen[] {
  const paths = [
    [from.cwd, to.cwd],
    [dashed(from.cwd), dashed(to.cwd)],
    [from.home, to.home],
    [dashed(from.home), dashed(to.home)],
  ].map((pair) => pair.map((text) => JSON.stringify(text).slice(1, -1)) as [string, string]);
  return JSON.parse(paths.reduce((text, [old, now]) => text.replaceAll(old, now), JSON.stringify(seen)));
}

/** Puts one sign for the ids that an import changes: the session's own and its sub-agents'. */
function withoutIds(expected: Seen[], actual: Seen[], from: LaidOut, session: string): [Seen[], Seen[]] {
  const text = JSON.stringify(expected);
  const changed = new Set([from.id, session, ...(from.children ?? [])]);
  const masked = (of: string) => of.replace(UUID, (id) => (changed.has(id) || !text.includes(id) ? '<id>' : id));
  return [JSON.parse(masked(text)), JSON.parse(masked(JSON.stringify(actual)))];
}
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** What a stage needs of a client. */
interface Driver {
  resume(cwd: string, id: string, prompt: string): Promise<Resumed>;
  listed(cwd: string, carried: Carried[]): Promise<Verdict[]>;
  /** all text that the client shows of a session */
  view(cwd: string, id: string, wanted: Landmarks): Promise<string>;
}

function drive(agent: Agent, home: string, server: Loopback, provider?: string): Driver {
  const program = client(agent);
  if (!program) throw new Error(`${agent} is not installed (npx tsx scripts/clients.ts installs it)`);
  return agent === 'claude-code' ? driveClaude(claudeClient(program, home, server)) : driveCodex(codexClient(program, home, server, provider));
}

function driveClaude(claude: ClaudeClient): Driver {
  return {
    resume: claude.resume,
    view: (cwd, id, { said }) => claude.screen(cwd, id, (text) => shows(text, said.slice(-1))),
    async listed(cwd, carried) {
      const titles = carried.map(({ imported }) => firstLine(imported.title));
      const screen = await claude.picker(cwd, (text) => titles.every((title) => shows(text, [title])));
      return titles.map((title) => verdict('list', shows(screen, [title]), `the picker does not show ${JSON.stringify(title)}:\n${clip(screen)}`));
    },
  };
}

function driveCodex(codex: CodexClient): Driver {
  return {
    resume: codex.resume,
    async view(cwd, id) {
      const [thread] = await codex.read(cwd, [id]);
      return thread ? texts(thread.turns).join('\n') : '';
    },
    async listed(cwd, carried) {
      const threads = await codex.list(cwd);
      return carried.map(({ imported }) => {
        const thread = threads.find((t) => t.id === imported.session);
        const title = firstLine(imported.title);
        const named = thread !== undefined && [thread.name, thread.preview].some((text) => text?.includes(title));
        return verdict('list', named, `thread/list has ${JSON.stringify(shortThread(thread))} for ${JSON.stringify(title)}`);
      });
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

/** Lines that a screen should show: of what the assistant said, and of what tools put out. */
interface Landmarks {
  said: string[];
  outputs: string[];
}

function landmarks(seen: Seen[]): Landmarks {
  const lines = (text: string) =>
    text
      .split('\n')
      .map((line) => line.trim().slice(0, 60).trim())
      .filter((line) => line.length > 1 && !/[<*`|#]/.test(line));
  const said = seen.flatMap((item) => (item.kind === 'text' && item.role === 'assistant' && item.text !== 'No response requested.' ? lines(item.text) : []));
  // A reader's own numbering is not shown by others, and what a client made up for a call that never ended is shown nowhere.
  const outputs = seen.flatMap((item) => (item.kind === 'result' && !isInvented(item) ? lines(item.text.replace(/^\s*\d+[\t→]/gm, '')) : []));
  return { said, outputs };
}

/** True when one of the lines is shown (or there is none); how it is wrapped and spaced is up to the client. */
function shows(screen: string, lines: string[]): boolean {
  const dense = (text: string) => text.replace(/\s+/g, '');
  const all = dense(screen);
  return lines.length === 0 || lines.some((line) => all.includes(dense(line)));
}

/**
 * Whether the client shows something that was said and something that a tool put out.
 * @param original what it shows of the original, where that is of its own kind: it need not show more of an import
 */
async function judgeScreen(screen: string, wanted: Landmarks, original?: () => Promise<string>): Promise<Verdict> {
  const last = wanted.said.slice(-1);
  if (!shows(screen, last) && (!original || shows(await original(), last)))
    return verdict('screen', false, `not shown: ${JSON.stringify(last[0])}\n${clip(screen)}`);
  if (!shows(screen, wanted.outputs) && (!original || shows(await original(), wanted.outputs)))
    return verdict('screen', false, `no tool output is shown, such as ${JSON.stringify(wanted.outputs.slice(0, 3))}\n${clip(screen)}`);
  return verdict('screen', screen.trim() !== '' || wanted.said.length + wanted.outputs.length === 0, 'the screen is empty');
}
