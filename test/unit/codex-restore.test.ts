import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OutFile, RestoreInput, Written } from '#adapters/adapter.ts';
import { codex } from '#adapters/codex/index.ts';
import type { Fitted } from '#session/conversation.ts';
import type { SessionRecord } from '#session/record.ts';
import { fixture, fixtureRecords, recordsOf, toldBy } from '../support/codex.ts';

const NEW = '0197ffff-aaaa-7bbb-8ccc-dddddddddddd';
const CWD = '/srv/elsewhere';
const CHILD = '01a22c2c-fa5f-7083-8b56-ae092810e4ba';
const OTHERS: Record<string, [string, SessionRecord[]][]> = {
  'exec-forked': [['base/01a22c21-101f-7492-8ef7-0f36bf352f51', fixtureRecords('exec-unicode-resumed', 47363)]],
  'paginated-reverted.segment': [['base/01a22c35-3b13-7a00-9ed3-c053fdf1fbd2', fixtureRecords('paginated-reverted.base', 41970)]],
  'subagent-parent': [[`agent/${CHILD}`, fixtureRecords('subagent-child')]],
};

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'relay-codex-'));
  mkdirSync(join(home, '.codex'));
  writeFileSync(join(home, '.codex', 'config.toml'), 'model_provider = "mock"\n');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function bytesOf(file: OutFile): Promise<string> {
  const lines: string[] = [];
  for await (const line of file.lines ?? []) lines.push(line.toString());
  return lines.join('\n') + (file.eol === false ? '' : '\n');
}

interface Restored {
  written: Written;
  main: string;
  others: string[];
  source: string;
  id: string;
  cwd: string;
}

async function restore(name: string, more: Partial<RestoreInput> = {}, main = fixtureRecords(name)): Promise<Restored> {
  const source = readFileSync(fixture(`${name}.jsonl`), 'utf8');
  const { id, cwd } = (JSON.parse(source.slice(0, source.indexOf('\n'))) as { payload: { id: string; cwd: string } }).payload;
  const streams = new Map([['main', main], ...(OTHERS[name] ?? [])]);
  const written = await codex.restore({
    target: { where: { env: {}, home }, cwd: CWD, id: NEW, title: 'T', now: new Date('2026-11-30T11:00:00Z') },
    card: { agent: 'codex', id, title: 'T', cwd, path: '', created: '', updated: '' },
    orientation: '',
    checkpoint: async () => undefined,
    streams: [...streams.keys()],
    records: async function* (stream) {
      yield* streams.get(stream) ?? [];
    },
    files: [],
    ...more,
  });
  const texts: string[] = [];
  for (const file of written.files) texts.push(await bytesOf(file));
  return { written, main: texts.pop() ?? '', others: texts, source, id, cwd };
}

const back = (text: string, { id, cwd }: { id: string; cwd: string }) => text.replaceAll(NEW, id).replaceAll(CWD, cwd);
const numbered = (text: string) => text.split('\n');

describe('a session of Codex for Codex', () => {
  it('changes a settings line that does not serialise back to itself in the provider alone', async () => {
    const line =
      '{"timestamp":"2026-03-01T08:00:00.000Z","type":"event_msg","payload":{"type":"thread_settings_applied","n":1e400,"thread_settings":{"model_provider_id":"PROVIDER","x":1.0}}}';
    const { main, written } = await restore('exec-plain', {}, recordsOf(Buffer.from(`${line.replace('PROVIDER', 'other')}\n`)));
    expect(main).toBe(`${line.replace('PROVIDER', 'mock')}\n`);
    expect(written.loss.map((loss) => loss.kind)).toEqual(['model-provider']);
  });

  const names = readdirSync(fixture(''))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.replace('.jsonl', ''))
    .filter((name) => !['exec-forked', 'paginated-reverted.segment', 'subagent-parent', 'subagent-child'].includes(name));

  it.each(names)('%s: is the same, but for ids, folder and what the report names', async (name) => {
    const restored = await restore(name);
    const named = new Set(restored.written.loss.map((loss) => loss.record));
    const [before, after] = [numbered(restored.source), numbered(back(restored.main, restored))];
    expect(after).toHaveLength(before.length);
    before.forEach((line, i) => {
      if (!named.has(i)) expect(after[i]).toBe(line);
    });
    expect(restored.main).not.toContain(restored.id);
    expect(restored.main).not.toContain(`"${restored.cwd}"`);
    for (const loss of restored.written.loss) expect(['source', 'model-provider']).toContain(loss.kind);
  });

  it('is listed: source exec becomes cli', async () => {
    const { main, written } = await restore('exec-plain');
    expect(JSON.parse(numbered(main)[0] as string)).toMatchObject({
      payload: { id: NEW, session_id: NEW, cwd: CWD, source: 'cli', model_provider: 'mock', history_mode: 'paginated' },
    });
    expect(written.loss).toEqual([{ record: 0, stream: 'main', kind: 'source', action: 'changed', reason: expect.stringContaining('"exec"') }]);
  });

  it('takes the provider of the target in all records that name one', async () => {
    writeFileSync(join(home, '.codex', 'config.toml'), 'model_provider = "other"\n');
    const { main, written } = await restore('exec-plain');
    expect(main).not.toMatch(/"model_provider(_id)?":"mock"/);
    expect(written.loss.map((loss) => [loss.record, loss.kind])).toEqual([
      [0, 'model-provider'],
      [0, 'source'],
      [6, 'model-provider'],
    ]);
    expect(written.loss[0]?.reason).toContain('model_provider is "other", as in the config.toml here, instead of "mock"');
  });

  it.each([undefined, 'model = "some"\n'])('takes the provider of Codex itself where config.toml (%j) names none, and says so', async (config) => {
    const path = join(home, '.codex', 'config.toml');
    if (config) writeFileSync(path, config);
    else rmSync(path, { force: true });
    const { written } = await restore('exec-plain');
    expect(written.loss[0]?.reason).toContain('model_provider is "openai", as Codex has it by default, instead of "mock"');
  });
});

describe.each(['exec-forked', 'paginated-reverted.segment'])('%s, which goes on from another file', (name) => {
  it('becomes one file that needs no other', async () => {
    const { main, written } = await restore(name);
    const lines = numbered(main.trimEnd()).map((line) => JSON.parse(line) as { type: string; ordinal: number; payload: { history_base?: unknown } });
    expect(lines.filter((line) => line.type === 'session_meta')).toHaveLength(1);
    expect(lines[0]?.payload.history_base).toBeUndefined();
    const ordinals = lines.map((line) => line.ordinal);
    expect(ordinals).toEqual([...ordinals].sort((a, b) => a - b));
    expect(new Set(ordinals).size).toBe(ordinals.length);
    expect(written.loss.filter((loss) => loss.kind === 'fork').map((loss) => loss.action)).toEqual(['changed', 'left-out']);
  });

  it('tells the model the same', async () => {
    const { main, cwd, id } = await restore(name);
    const before = codex.conversation(new Map([['main', fixtureRecords(name)], ...(OTHERS[name] ?? [])]));
    const after = codex.conversation(new Map([['main', recordsOf(Buffer.from(back(main, { cwd, id })))]]));
    expect(toldBy(after.view)).toEqual(toldBy(before.view));
  });
});

it('gives sub-agents new ids, the same wherever they are named', async () => {
  const { main, others, written } = await restore('subagent-parent');
  const [child] = others;
  const meta = JSON.parse(numbered(child ?? '')[0] as string) as { payload: { id: string; session_id: string } };
  expect(written.files[0]?.path).toContain(meta.payload.id);
  expect(meta.payload.session_id).toBe(NEW);
  expect(main).toContain(meta.payload.id);
  for (const text of [main, child]) expect(text).not.toContain(CHILD);
});

describe('at the end', () => {
  const fitted: Fitted = {
    history: [],
    lead: [{ role: 'user', content: [{ type: 'text', text: 'SUMMARY' }], stream: 'main', record: -1, origin: 'relay', summary: true }],
    tail: [{ role: 'assistant', content: [{ type: 'text', text: 'LAST' }], stream: 'main', record: 10, origin: 'model' }],
    size: { tokens: 1, items: 2, bytes: 10 },
  };
  it.each([
    ['exec-plain', 14],
    ['exec-tools-0.120.0', undefined],
  ])('the orientation of %s is one more item', async (name, ordinal) => {
    const { main, written, source } = await restore(name, { orientation: 'MOVED' });
    const added = JSON.parse(numbered(main.trimEnd()).at(-1) as string) as { ordinal?: number; payload: unknown };
    expect(added.payload).toEqual({ type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'MOVED' }] });
    expect(added.ordinal).toBe(ordinal);
    expect(numbered(main)).toHaveLength(numbered(source).length + 1);
    expect(written.loss).toContainEqual({ record: null, stream: 'main', kind: 'orientation', action: 'added', reason: expect.any(String) });
  });

  it('a checkpoint takes the place of what the model got before', async () => {
    const { main, written } = await restore('exec-plain', { orientation: 'MOVED', checkpoint: async () => fitted });
    const { view, entries } = codex.conversation(new Map([['main', recordsOf(Buffer.from(main))]]));
    expect(toldBy(view)).toEqual(['user: SUMMARY', 'assistant: LAST']);
    expect(toldBy(entries)).toContain('user: Say hello');
    expect(written.loss).toContainEqual(expect.objectContaining({ record: null, kind: 'checkpoint', action: 'added' }));
  });

  it('a line that is cut stays cut, and gets its line feed only when another follows', async () => {
    const bytes = Buffer.concat([readFileSync(fixture('exec-plain.jsonl')), Buffer.from('{"timestamp":"2026')]);
    const cut = await restore('exec-plain', {}, recordsOf(bytes));
    expect(cut.main.endsWith('{"timestamp":"2026')).toBe(true);
    const followed = await restore('exec-plain', { orientation: 'MOVED' }, recordsOf(bytes));
    expect(followed.main).toContain('{"timestamp":"2026\n{');
    expect(followed.written.loss).toContainEqual(expect.objectContaining({ record: 14, kind: 'line-end', action: 'changed' }));
  });
});
