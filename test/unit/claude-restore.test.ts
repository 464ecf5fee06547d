import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Fitted } from '#session/conversation.ts';
import type { SessionRecord } from '#session/record.ts';
import type { SessionCard } from '#session/source.ts';
import type { RestoreInput, Target, Written } from '../../adapters/adapter.ts';
import { claudeCode } from '../../adapters/claude-code/index.ts';
import { createRewrite } from '../../adapters/claude-code/rewrite.ts';
import { claudeRecords, linesToRecords } from '../support/claude-records.ts';

const fixtures = fileURLToPath(new URL('../fixtures/claude-code/', import.meta.url));
const id = '0198aaaa-0000-7000-8000-000000000001';
const where = { env: {}, home: '/home/bob' };
const target = (more: Partial<Target> = {}): Target => ({ where, cwd: '/srv/new place', id, title: '', now: new Date(0), ...more });
const project = '/home/bob/.claude/projects/-srv-new-place';

async function input(name: string, more: Partial<RestoreInput> = {}): Promise<RestoreInput> {
  const source = await claudeCode.open(where, join(fixtures, name));
  const records = new Map(source.streams.map((s) => [s.name, claudeRecords(readFileSync(s.path))]));
  return {
    target: target({ title: source.title }),
    card: source,
    orientation: '',
    checkpoint: async () => undefined,
    streams: [...records.keys()],
    records: async function* (stream) {
      yield* records.get(stream) ?? [];
    },
    files: source.files.map((file) => ({ name: file.name, read: async () => readFileSync(file.path) })),
    ...more,
  };
}

function fromLines(records: SessionRecord[], card: Partial<SessionCard> = {}, more: Partial<RestoreInput> = {}): RestoreInput {
  const known = {
    agent: 'claude-code',
    id: old,
    title: '',
    cwd: '/home/ann/proj',
    path: `/home/ann/.claude/projects/-home-ann-proj/${old}.jsonl`,
    created: '2026-01-01T00:00:00Z',
    updated: '2026-01-01T00:00:00Z',
  };
  return {
    target: target(),
    card: { ...known, ...card },
    orientation: '',
    checkpoint: async () => undefined,
    streams: ['main'],
    records: async function* () {
      yield* records;
    },
    files: [],
    ...more,
  };
}
const old = '99999999-0000-4000-8000-000000000009';

/** The bytes of each file, as they would be put in place. */
async function drained(written: Written): Promise<Map<string, string>> {
  const out = new Map<string, string>();
  for (const file of written.files) {
    if (file.bytes) out.set(file.path, (await file.bytes()).toString('utf8'));
    const lines: string[] = [];
    for await (const line of file.lines ?? []) lines.push(String(line));
    if (file.lines) out.set(file.path, lines.join('\n') + (file.eol === false ? '' : '\n'));
  }
  return out;
}
const main = (files: Map<string, string>): string[] => (files.get(`${project}/${id}.jsonl`) ?? '').split('\n');
const parsed = (lines: string[]) => lines.filter(Boolean).map((line) => JSON.parse(line));

describe('a restored session', () => {
  it.each(readdirSync(fixtures))('%s: the same bytes but for id, cwd and the lines that the report names', async (name) => {
    const given = await input(name);
    const written = await claudeCode.restore(given);
    const files = await drained(written);
    const back = [...files.values()].map((text) => text.replaceAll(id, given.card.id).replaceAll('/srv/new place', given.card.cwd));
    const source = await claudeCode.open(where, join(fixtures, name));
    const named = new Set(written.loss.map((loss) => loss.record));
    const lines = readFileSync(source.path, 'utf8').split('\n');
    const changed = (back.at(-1) ?? '').split('\n').flatMap((line, at) => (line === lines[at] ? [] : [at]));
    expect(changed.filter((at) => !named.has(at))).toEqual([]);
    expect(back.slice(0, source.files.length)).toEqual(source.files.map((file) => readFileSync(file.path, 'utf8')));
    expect(written.loss.every((loss) => loss.kind === 'entrypoint' || loss.kind === 'path')).toBe(true);
    expect(written.files.at(-1)?.path).toBe(written.path);
    expect(written.resume).toEqual({ command: 'claude', args: ['--resume', id], cwd: '/srv/new place' });
  });

  it('puts sub-agents, tasks and titles under the new id', async () => {
    const paths = [...(await drained(await claudeCode.restore(await input('07-agents-foreground-parallel')))).keys()];
    expect(paths).toContain(`${project}/${id}/subagents/agent-a127fe05de65f0e6f.jsonl`);
    expect(paths).toContain(`${project}/${id}/subagents/agent-a127fe05de65f0e6f.meta.json`);
    const tasks = [...(await drained(await claudeCode.restore(await input('02-tools-parallel-failing-resumed')))).keys()];
    expect(tasks.slice(0, 2)).toEqual([`/home/bob/.claude/tasks/${id}/1.json`, `/home/bob/.claude/tasks/${id}/2.json`]);
  });

  it('leads paths of large outputs to where they lie now', async () => {
    const text = main(await drained(await claudeCode.restore(await input('04-large-output-and-image-read')))).join('\n');
    expect(text).toContain(`Full output saved to: ${project}/${id}/tool-results/bms1erw6r.txt`);
    expect(text).not.toContain('/home/dev/.claude');
  });

  it('refuses file names that lead out of the session', async () => {
    const read = async () => Buffer.from('x');
    const written = await claudeCode.restore(
      fromLines(
        [],
        {},
        {
          files: ['../../.ssh/authorized_keys', '/etc/passwd', 'a/../../b', 'C:\\x', 'tasks/../../../x', 'tool-results/ok.txt'].map((name) => ({ name, read })),
        },
      ),
    );
    expect([...(await drained(written)).keys()]).toEqual([`${project}/${id}/tool-results/ok.txt`, `${project}/${id}.jsonl`]);
    expect(written.loss.filter((loss) => loss.kind === 'file')).toHaveLength(5);
  });

  it('puts into folders that all sessions share only what bears the name of the session', async () => {
    const read = async () => Buffer.from('x');
    const other = '88888888-0000-4000-8000-000000000008';
    const refused = [
      ...[`todos/${other}-agent-${other}.json`, 'todos/evil.json', `todos/sub/${old}-agent-${old}.json`, `todos/${old}-agent.txt`, 'todos', 'tasks'],
      ...['tasks/sub/1.json', 'a'.repeat(300), `tool-results/${'é'.repeat(200)}`, `${'a/'.repeat(600)}b`, 'tool-results/ok.txt', 'tool-results/ok.txt/below'],
    ];
    const kept = ['tool-results/ok.txt', 'tasks/1.json', `todos/${old}-agent-${old}.json`];
    const written = await claudeCode.restore(fromLines([], {}, { files: [...kept, ...refused].map((name) => ({ name, read })) }));
    expect([...(await drained(written)).keys()]).toEqual([
      `${project}/${id}/tool-results/ok.txt`,
      `/home/bob/.claude/tasks/${id}/1.json`,
      `/home/bob/.claude/todos/${id}-agent-${id}.json`,
      `${project}/${id}.jsonl`,
    ]);
    expect(written.loss.filter((loss) => loss.kind === 'file')).toHaveLength(refused.length);
  });

  it('has no place for a sub-agent whose file could not be named', async () => {
    const streams = ['main', `agent/${'a'.repeat(300)}`, 'agent/ok', 'agent/ok'];
    const files = [{ name: 'subagents/agent-ok.jsonl', read: async () => Buffer.from('x') }];
    const written = await claudeCode.restore(fromLines([], {}, { streams, files }));
    expect(written.files.map((file) => file.path)).toEqual([`${project}/${id}/subagents/agent-ok.jsonl`, `${project}/${id}.jsonl`]);
    expect(written.loss.map((loss) => loss.kind)).toEqual(['side-stream', 'file']);
  });

  it('keeps raw lines and a last line without line feed', async () => {
    const bytes = Buffer.concat([Buffer.from('{"type":"mode"}\nnot json\n'), Buffer.from([0xff, 0xfe, 10]), Buffer.from('{"torn":')]);
    const written = await claudeCode.restore(fromLines(claudeRecords(bytes)));
    const file = written.files.at(-1);
    const chunks: Buffer[] = [];
    for await (const line of file?.lines ?? []) chunks.push(Buffer.from(line), Buffer.from('\n'));
    if (file?.eol === false) chunks.pop();
    expect(Buffer.concat(chunks)).toEqual(bytes);
  });

  it('writes signed thinking as text once its text is not what was signed', async () => {
    const thinking = (text: string) => ({
      type: 'assistant',
      sessionId: old,
      cwd: '/home/ann/proj',
      message: { content: [{ type: 'thinking', thinking: text, signature: 'c2lnbmVk' }] },
    });
    const records = linesToRecords([thinking('plain'), thinking('key [REDACTED:gh:0011aabb]'), thinking('in /home/ann/proj/x')]);
    // As the redaction leaves it: the hash of what was signed.
    const redacted = records[1] as SessionRecord & { type: 'message' };
    redacted.content = redacted.content.map((block) => ({
      ...block,
      signed: createHash('sha256').update('key and its value').digest('hex'),
    })) as typeof redacted.content;
    const written = await claudeCode.restore(fromLines(records));
    const contents = parsed(main(await drained(written))).map((line) => line.message.content[0]);
    expect(contents.map((block) => block.type)).toEqual(['thinking', 'text', 'text']);
    expect(contents[2].text).toBe('in /srv/new place/x');
    expect(written.loss.map((loss) => [loss.record, loss.kind])).toEqual([
      [1, 'thinking'],
      [2, 'thinking'],
    ]);
  });

  it('adds what must be said first at the end of the active branch, and a title that differs', async () => {
    const written = await claudeCode.restore(
      await input('16-rewound-titled-file-history', { orientation: 'You are in /srv.', target: target({ title: 'mine' }) }),
    );
    const lines = parsed(main(await drained(written)));
    expect(lines.at(-2)).toMatchObject({
      type: 'user',
      isMeta: true,
      message: { content: 'You are in /srv.' },
      parentUuid: 'f6170830-cc35-43c7-841c-bedb7fb87345',
      sessionId: id,
    });
    expect(lines.at(-1)).toEqual({ type: 'custom-title', customTitle: 'mine', sessionId: id });
    expect(written.loss.map((loss) => [loss.kind, loss.action])).toEqual([
      ['orientation', 'added'],
      ['title', 'added'],
    ]);
  });

  it('adds a checkpoint whose view is summary, kept copies and the tail, with all that was before still in the file', async () => {
    const given = await input('02-tools-parallel-failing-resumed');
    const records: SessionRecord[] = [];
    for await (const record of given.records('main')) records.push(record);
    const { view } = claudeCode.conversation(new Map([['main', records]]));
    const from = view.findIndex((entry) => entry.content.some((b) => b.type === 'text' && b.text === 'second prompt'));
    const checkpoint: Fitted = {
      history: view.slice(0, from),
      lead: [
        { role: 'user', content: [{ type: 'text', text: 'BRIEF' }], stream: 'main', record: -1, origin: 'relay', summary: true },
        view[0] as (typeof view)[0],
      ],
      tail: view.slice(from),
      size: { tokens: 9, items: 9, bytes: 9 },
    };
    const lines = main(await drained(await claudeCode.restore({ ...given, orientation: 'FIRST', checkpoint: async () => checkpoint })));
    const again = claudeCode.conversation(new Map([['main', claudeRecords(Buffer.from(lines.join('\n')))]]));
    const told = again.view.map((entry) => (entry.content[0]?.type === 'text' ? entry.content[0].text : entry.content[0]?.type));
    expect(told).toEqual(['FIRST\n\nBRIEF', 'Fix the sum function in src/sum.js', 'second prompt', 'Resumed answer.', 'third prompt', 'Continued answer.']);
    expect(again.entries.length).toBe(view.length + 2);
    expect(lines.length - 1).toBe(records.length + 3);
  });
});

describe('replacing id, folder and cwd in a line', () => {
  const rewrite = createRewrite({ id: old, path: `/home/ann/.claude/projects/-p/${old}.jsonl`, cwd: '/home/ann/proj' }, { id, project, cwd: '/srv/x' });
  it.each([
    ['"/home/ann/proj"', '"/srv/x"'],
    ['"/home/ann/proj/src/a.ts and /home/ann/proj."', '"/srv/x/src/a.ts and /srv/x."'],
    [
      '"/home/ann/proj-old /home/ann/project /mnt/home/ann/proj /home/ann/proj.bak"',
      '"/home/ann/proj-old /home/ann/project /mnt/home/ann/proj /home/ann/proj.bak"',
    ],
    ['"cd\\n/home/ann/proj\\n"', '"cd\\n/srv/x\\n"'],
    [`"/home/ann/.claude/projects/-p/${old}/tool-results/a.txt"`, `"${project}/${id}/tool-results/a.txt"`],
    [`"see\\n/other/claude/projects/-q/${old}.jsonl"`, `"see\\n${project}/${id}.jsonl"`],
    [`"/tmp/claude-0/-p/${old}/tasks"`, `"/tmp/claude-0/-p/${id}/tasks"`],
  ])('%s', (text, expected) => expect(rewrite.line(text).text).toBe(expected));
});
