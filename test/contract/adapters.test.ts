import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { example } from '#adapters/_template/index.ts';
import { readCall } from '#adapters/actions.ts';
import type { Adapter, Target, Written } from '#adapters/adapter.ts';
import { adapters } from '#adapters/registry.ts';
import { fit as planFor } from '#context/fit.ts';
import { loadLocal, readStreams } from '#flows/load.ts';
import { recordOf } from '#flows/records.ts';
import type { JsonObject } from '#lib/json.ts';
import { readLines } from '#lib/lines.ts';
import { uuidOf } from '#lib/uuid.ts';
import { attach, attachmentId, decodeRecord, encodeRecord, parseLine, sourceLine } from '#session/codec.ts';
import type { Conversation } from '#session/conversation.ts';
import { describeCall, matchCalls, pairCalls } from '#session/pairs.ts';
import { plainText, recordSchema, type SessionRecord, type ToolCall } from '#session/record.ts';
import type { SessionSource } from '#session/source.ts';
import { fixtures, layOut } from '../support/fixtures.ts';
import type { Agent } from '../support/layout.ts';
import { scratch } from '../support/scratch.ts';

/** What each adapter owes (adapters/adapter.ts), over every one that is registered, and the template. */
const all: readonly Adapter[] = [...adapters, example];
const { dir, remove } = scratch('contract');
afterAll(remove);

interface Sample {
  name: string;
  adapter: Adapter;
  source: SessionSource;
  streams: Map<string, SessionRecord[]>;
}
const samples: Sample[] = [];

beforeAll(async () => {
  for (const adapter of all) {
    const found =
      adapter === example ? [exampleSession()] : fixtures(adapter.id as Agent).map((f) => ({ name: f.name, path: layOutAlone(adapter, f.name, f.path) }));
    for (const { name, path } of found) {
      const source = await adapter.open(where(adapter.id, name), path);
      const streams = new Map<string, SessionRecord[]>();
      for (const stream of source.streams) streams.set(stream.name, await recordsOf(adapter, stream));
      samples.push({ name: `${adapter.id} ${name}`, adapter, source, streams });
    }
  }
});

const where = (agent: string, name: string) => ({ env: {}, home: join(dir, agent, name) });
const layOutAlone = (adapter: Adapter, name: string, path: string): string =>
  layOut(adapter.id as Agent, path, where(adapter.id, name).home, join(dir, adapter.id, name, 'src', 'proj')).path;

function exampleSession(): { name: string; path: string } {
  const id = '01990000-0000-7000-8000-000000000001';
  const at = '2026-03-01T08:00:00.000Z';
  const path = join(where('example', 'plain').home, '.example/sessions', `${id}.jsonl`);
  const lines = [
    { kind: 'session', id, cwd: join(dir, 'example', 'proj'), title: 'A plain session', at, version: '1.2.0' },
    { kind: 'said', id: 'm1', by: 'user', text: 'list the files', at },
    { kind: 'call', id: 'c1', name: 'exec_command', input: { cmd: 'ls' }, at },
    { kind: 'result', call: 'c1', text: 'a.ts', failed: false, at },
    { kind: 'mood', value: 'cheerful' },
    { kind: 'said', id: 'm2', by: 'assistant', text: 'There is a.ts.', at },
  ];
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
  return { name: 'plain', path };
}

async function recordsOf(adapter: Adapter, stream: SessionSource['streams'][number]): Promise<SessionRecord[]> {
  const records: SessionRecord[] = [];
  for await (const lines of readLines(stream.path, 0, stream.end)) for (const line of lines) records.push(recordOf(line, stream.name, adapter));
  return records;
}

/** Runs a check over all samples of an adapter; the error names the one. */
async function each(adapter: Adapter, check: (sample: Sample) => unknown): Promise<void> {
  const own = samples.filter((s) => s.adapter === adapter);
  expect(own.length).toBeGreaterThan(0);
  for (const sample of own) {
    try {
      await check(sample);
    } catch (error) {
      throw new Error(`${sample.name}: ${(error as Error).message}`, { cause: error });
    }
  }
}

const target = (source: SessionSource, adapter: Adapter, name: string): Target => ({
  where: { env: {}, home: join(dir, 'into', adapter.id, name) },
  cwd: source.cwd,
  id: uuidOf('target', name),
  title: source.title,
  now: new Date('2026-12-01T10:00:00.000Z'),
});

/** Puts the files of an import in place, as the flow does. */
async function placed(written: Written): Promise<void> {
  for (const file of written.files) {
    mkdirSync(dirname(file.path), { recursive: true });
    const lines: Buffer[] = [];
    for await (const line of file.lines ?? []) lines.push(Buffer.from(line as Buffer), Buffer.from('\n'));
    writeFileSync(file.path, file.bytes ? await file.bytes() : Buffer.concat(file.eol === false ? lines.slice(0, -1) : lines));
  }
}

describe.each(all.map((adapter) => ({ id: adapter.id, adapter })))('$id', ({ adapter }) => {
  it('lists each of its sessions with title, folder and times, and opens it by the listed path', () =>
    each(adapter, async ({ source, name }) => {
      const cards = await adapter.list(where(adapter.id, name.slice(adapter.id.length + 1)), { cwd: source.cwd });
      const card = cards.find((c) => c.id === source.id);
      expect(card).toMatchObject({ agent: adapter.id, id: source.id, title: source.title, cwd: source.cwd, created: source.created });
      expect(Date.parse(source.created)).toBeGreaterThan(0);
      expect(source.title).not.toBe('');
    }));

  it('says not-found for what is no session, and lists nothing where it is not installed', async () => {
    const empty = { env: {}, home: join(dir, 'nobody') };
    expect(await adapter.list(empty)).toEqual([]);
    await expect(adapter.open(empty, join(dir, 'nothing.jsonl'))).rejects.toMatchObject({ code: 'not-found' });
  });

  it('makes one valid record of each line, the same each time, whatever was read before, and changes nothing of it', () =>
    each(adapter, ({ source, streams }) => {
      for (const stream of source.streams) {
        const bytes = readFileSync(stream.path).subarray(0, stream.end);
        const lines = bytes.toString('latin1').replace(/\n$/, '').split('\n');
        const records = streams.get(stream.name) ?? [];
        expect(records).toHaveLength(lines.length);
        const again = lines.map((line) => parseLine(Buffer.from(line, 'latin1'))).reverse();
        for (const [i, parsed] of again.entries()) {
          if (!('line' in parsed)) continue;
          const before = JSON.stringify(parsed.line.value);
          const draft = adapter.draft(parsed.line.value as JsonObject);
          expect(JSON.stringify(parsed.line.value)).toBe(before);
          const { native: _, eol: __, ...record } = records[lines.length - 1 - i] as SessionRecord & { native?: unknown };
          expect(record).toEqual(draft);
          recordSchema.parse(draft);
        }
      }
    }));

  it('gives every line back byte for byte, through the store’s form too', () =>
    each(adapter, async ({ source, streams }) => {
      for (const stream of source.streams) {
        const kept = new Map<string, Buffer>();
        const keep = (bytes: Buffer): string => {
          const id = attachmentId(bytes);
          kept.set(id, bytes);
          return id;
        };
        const out: Buffer[] = [];
        for (const record of streams.get(stream.name) ?? []) {
          const decoded = decodeRecord(encodeRecord(record, keep), stream.name);
          const read = decoded.attached ? await attach(decoded, async (id) => kept.get(id) as Buffer) : decoded;
          expect(read).toEqual(record);
          out.push(Buffer.from(sourceLine(read) as Buffer), Buffer.from(record.eol === false ? '' : '\n'));
        }
        expect(Buffer.concat(out).equals(readFileSync(stream.path).subarray(0, stream.end))).toBe(true);
      }
    }));

  it('resolves the same branch without native parts, from records that it names, ids and order stable', () =>
    each(adapter, ({ streams }) => {
      const light = new Map(
        [...streams].map(([name, records]) => [name, records.map(({ native: _, ...rest }: SessionRecord & { native?: unknown }) => rest as SessionRecord)]),
      );
      const conversation = adapter.conversation(light);
      expect(adapter.conversation(streams)).toEqual(conversation);
      expect(conversation.entries.length).toBeGreaterThan(0);
      for (const entry of conversation.entries) {
        const record = streams.get(entry.stream)?.[entry.record];
        expect(record?.type).toMatch(/message|boundary/);
      }
    }));

  it('says of each call what it does and how it ended, as error mark and exit code have it', () =>
    each(adapter, ({ streams }) => {
      for (const { block: call, result } of matchCalls(adapter.conversation(streams).entries).calls) {
        const { actions, outcome } = readCall(call, result?.block, adapter.id);
        const what = `${call.name} ${describeCall(call, 200)}`;
        expect(actions.length, what).toBeGreaterThan(0);
        if (adapter.actions(call))
          for (const action of actions)
            if (action.kind === 'other')
              expect(
                NOTHING_MORE.some((says) => says(call)),
                what,
              ).toBe(true);
        if (!result) expect(outcome, what).toEqual({ state: 'none', output: '' });
        if (result?.block.is_error) expect(outcome.state, what).toMatch(/^(?:failed|refused|aborted|none)$/);
        if (result?.block.exit_code !== undefined) expect(outcome.exit, what).toBe(result.block.exit_code);
        if (outcome.exit === 0) expect(outcome.state, what).toBe('done');
        if (outcome.parts) expect(outcome.parts, what).toHaveLength(actions.length);
        if (result)
          expect(plainText(result.block.content).replace(/\s/g, ''), what).toContain(outcome.output.slice(0, 40).split('\n', 1)[0]?.replace(/\s/g, ''));
      }
    }));

  it('takes any call and any result without a word', () =>
    each(adapter, ({ streams }) => {
      const names = new Set(adapter.conversation(streams).entries.flatMap(({ content }) => content.flatMap((b) => (b.type === 'tool_call' ? [b.name] : []))));
      for (const name of names) {
        for (const input of [null, 'text', '{', 3, [], {}, { command: [], cmd: {}, todos: [null], plan: [3], questions: 'x', targets: [1] }]) {
          const call: ToolCall = { type: 'tool_call', id: '', name, input };
          for (const text of ['', '{', '{}', '<status>', 'Output:', 'Chunk ID: \nOutput:\n']) {
            const result = { type: 'tool_result' as const, call_id: '', content: [{ type: 'text' as const, text }] };
            adapter.actions(call, result);
            expect(typeof (adapter.outcome(call, result)?.output ?? '')).toBe('string');
            adapter.report(text);
          }
        }
      }
    }));

  it('freezes no free text', () =>
    each(adapter, ({ streams }) => {
      const text = 'please look at the file src/a.ts of this project';
      for (const records of streams.values()) for (const path of records.flatMap(pathsIn)) expect(adapter.slot(path, text), path.join('/')).not.toBe('kept');
    }));

  it('restores its own sessions byte for byte, but for the id and the lines that the loss report names', () =>
    each(adapter, async ({ source, streams, name }) => {
      // A chain of files becomes one: what that changes is in the adapter's own tests.
      if (source.streams.some((s) => s.name.startsWith('base/'))) return;
      const to = target(source, adapter, name);
      const written = await adapter.restore({
        target: to,
        card: source,
        orientation: '',
        streams: [...streams.keys()],
        records: async function* (stream) {
          yield* streams.get(stream) ?? [];
        },
        files: source.files.map((file) => ({ name: file.name, read: async () => readFileSync(file.path) })),
        checkpoint: async () => undefined,
      });
      await placed(written);
      const ids = [...streams.keys()].map((stream): [string, string] => [uuidOf(to.id, stream), stream.replace(/^agent\//, '')]);
      const back = (text: string): string => [[to.id, source.id], ...ids].reduce((all, [now, was]) => all.replaceAll(now as string, was as string), text);
      const [made, was] = [back(readFileSync(written.path, 'latin1')), readFileSync(source.path, 'latin1')].map((text) => text.split('\n')) as [
        string[],
        string[],
      ];
      expect(made).toHaveLength(was.length);
      const differ = made.flatMap((line, n) => (line === was[n] ? [] : [n]));
      const named = new Set(written.loss.filter((loss) => (loss.stream ?? 'main') === 'main').map((loss) => loss.record));
      expect(differ.filter((n) => !named.has(n))).toEqual([]);
      expect(written.files.at(-1)?.path).toBe(written.path);
      expect(written.resume.cwd).toBe(source.cwd);
    }));

  it('adds what was said elsewhere after its own lines, and reads it back', () =>
    each(adapter, async ({ source, streams, name }) => {
      const base = adapter.conversation(streams);
      const said = (role: 'user' | 'assistant', text: string, record: number) => ({
        role,
        content: [{ type: 'text' as const, text }],
        stream: 'since',
        record,
        origin: role === 'user' ? ('person' as const) : ('model' as const),
        time: '2026-12-01T09:00:00.000Z',
      });
      const entries = [said('user', 'and now the other part', 1), said('assistant', 'That is done too.', 2)];
      const written = await adapter.restore({
        target: target(source, adapter, `${name} more`),
        card: source,
        orientation: '',
        streams: [...streams.keys()],
        records: async function* (stream) {
          yield* streams.get(stream) ?? [];
        },
        files: [],
        checkpoint: async () => undefined,
        more: { card: { ...source, agent: 'another' }, entries },
      });
      await placed(written);
      const { entries: read } = await readBack(adapter, written.path);
      expect(read.slice(-2).map((entry) => [entry.role, plainText(entry.content)])).toEqual([
        ['user', 'and now the other part'],
        ['assistant', 'That is done too.'],
      ]);
      expect(read.length).toBeGreaterThanOrEqual(base.entries.length);
      expect(written.loss.map((loss) => loss.kind)).toContain('continued');
    }));
});

/** Calls of an adapter's own tools that there is no kind of action for, and why. */
const NOTHING_MORE: ((call: ToolCall) => boolean)[] = [
  // What a tool of another server does, only that server knows.
  ({ name }) => name.startsWith('mcp__'),
  // Its input is broken: the client has refused it.
  ({ input }) => typeof input === 'string' && input.startsWith('{not json'),
];

/** Every place of a record's source that holds a string. */
function pathsIn(record: SessionRecord): (string | number)[][] {
  const parsed = parseLine(Buffer.from(sourceLine(record) as Buffer));
  const out: (string | number)[][] = [];
  const walk = (value: unknown, path: (string | number)[]): void => {
    if (typeof value === 'string') out.push(path);
    else if (Array.isArray(value)) for (const [i, item] of value.entries()) walk(item, [...path, i]);
    else if (value && typeof value === 'object') for (const [key, item] of Object.entries(value)) walk(item, [...path, key]);
  };
  if ('line' in parsed) walk(parsed.line.value, []);
  return out;
}

async function readBack(adapter: Adapter, path: string): Promise<Conversation> {
  return adapter.conversation(await readStreams(loadLocal(await adapter.open({ env: {}, home: join(dir, 'nobody') }, path), adapter)));
}

/** What a conversation says. `spoken`: what a person or the model said; `texts`: that, and what clients put in. Names and keys of tools may differ. */
function facts({ entries }: Conversation) {
  const [texts, spoken, calls, results]: [string[], string[], string[], string[]] = [[], [], [], []];
  const order = new Map<string, number>();
  for (const entry of entries) {
    for (const block of entry.content) {
      const text = block.type === 'text' ? block.text.trim() : block.type === 'image' ? `image ${block.data}` : '';
      if (text) texts.push(text);
      if (text && !entry.summary && (entry.origin === 'person' || entry.origin === 'model')) spoken.push(text);
      if (block.type === 'tool_call') {
        order.set(block.id, calls.length);
        calls.push(describeCall(block, 1e9));
      }
      if (block.type === 'tool_result')
        results[order.get(block.call_id) ?? -1] = block.content
          .map((b) => (b.type === 'text' ? b.text.trim() : b.type === 'image' ? `image ${b.data}` : ''))
          .join('\n');
    }
  }
  return { texts, spoken, calls, results };
}

const ORIENTATION = 'Working directory: here';
const pairs = all.flatMap((from) => adapters.map((to) => ({ from, to, title: `${from.id} to ${to.id}` })));

describe.each(pairs)('$title', ({ from, to }) => {
  it('every text, image, call and result of a written session reads back, in order and paired, and nothing else', () =>
    each(from, async ({ source, streams, name }) => {
      const whole = from.conversation(streams);
      const { entries } = pairCalls(whole.entries);
      const conversation = { ...whole, entries, view: entries };
      const fitted = planFor(conversation, { tokens: 1e9, reserve: 0, maxItems: 1e9, maxBytes: 1e12 });
      const written = await to.write({ target: target(source, to, `${name} written`), card: source, orientation: ORIENTATION, fitted });
      await placed(written);
      const [made, was] = [facts(await readBack(to, written.path)), facts(conversation)];
      const rest = [...made.texts];
      for (const text of was.spoken) {
        const at = rest.indexOf(text);
        expect(at, `${text.slice(0, 100)} after what came before it`).toBeGreaterThanOrEqual(0);
        rest.splice(0, at + 1);
      }
      expect(made.texts.filter((text) => !was.texts.includes(text))).toEqual([ORIENTATION]);
      expect(made.calls).toHaveLength(was.calls.length);
      for (const [i, call] of was.calls.entries()) expect(sameCall(made.calls[i] ?? '', call), `${made.calls[i]} is ${call}`).toBe(true);
      expect(made.results.map(withoutNote)).toEqual(was.results.map(withoutNote));
    }));
});

/** `["bash", "-lc", "ls"]` may become `ls`, `{"cmd": "ls", …}` `{"command": "ls"}`; other inputs stay. */
const sameCall = (made: string, was: string): boolean => made !== '' && (made === was || was.endsWith(made) || made.endsWith(was));
const withoutNote = (text: string | undefined): string => (text ?? '').replace(/^\(no output\)$/, '');
