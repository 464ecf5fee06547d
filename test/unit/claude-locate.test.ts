import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Where } from '#session/source.ts';
import { claudeCode } from '../../adapters/claude-code/index.ts';
import { projectDir } from '../../adapters/claude-code/native.ts';

const fixtures = fileURLToPath(new URL('../fixtures/claude-code/', import.meta.url));
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

let home = '';
let where: Where;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'claude-locate-'));
  where = { env: {}, home };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const line = (fields: object): string => `${JSON.stringify(fields)}\n`;
const said = (n: number, text: string, more: object = {}): string =>
  line({
    type: 'user',
    uuid: id(n),
    parentUuid: null,
    message: { role: 'user', content: text },
    cwd: '/home/ann/proj',
    timestamp: '2026-01-02T03:04:05.000Z',
    version: '2.1.332',
    ...more,
  });

function put(name: string, text: string, folder = '-home-ann-proj', config = join(home, '.claude')): string {
  const path = join(config, 'projects', folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

describe('the list of sessions', () => {
  it('is empty where Claude Code was never used', async () => {
    expect(await claudeCode.list(where)).toEqual([]);
  });

  it('has sessions only: no sub-agents, empty files, lone summaries, other names', async () => {
    put(`${id(1)}.jsonl`, said(1, 'hello'));
    put(`${id(2)}.jsonl`, '');
    put(`${id(3)}.jsonl`, line({ type: 'summary', summary: 'of another', leafUuid: id(9) }));
    put(`${id(4)}.jsonl`, said(1, 'side', { isSidechain: true }));
    put('agent-0a1b2c3d.jsonl', said(1, 'side', { isSidechain: true }));
    put('notes.jsonl', said(1, 'x'));
    put(`${id(1)}/subagents/agent-1.jsonl`, said(1, 'side', { isSidechain: true }));
    expect((await claudeCode.list(where)).map((card) => card.id)).toEqual([id(1)]);
  });

  it('takes the cwd from the records and keeps those of a folder and below', async () => {
    put(`${id(1)}.jsonl`, said(1, 'a', { cwd: '/home/ann/proj' }));
    put(`${id(2)}.jsonl`, said(1, 'b', { cwd: '/home/ann/proj/sub' }));
    put(`${id(3)}.jsonl`, said(1, 'c', { cwd: '/home/ann/proj-old' }));
    const found = await claudeCode.list(where, { cwd: '/home/ann/proj' });
    expect(found.map((card) => card.cwd).sort()).toEqual(['/home/ann/proj', '/home/ann/proj/sub']);
  });

  it('looks in CLAUDE_CONFIG_DIR, named roots and the usual place', async () => {
    put(`${id(1)}.jsonl`, said(1, 'a'));
    put(`${id(2)}.jsonl`, said(1, 'b'), '-p', join(home, 'env'));
    put(`${id(3)}.jsonl`, said(1, 'c'), '-p', join(home, 'root'));
    const found = await claudeCode.list({ env: { CLAUDE_CONFIG_DIR: join(home, 'env') }, roots: [join(home, 'root')], home });
    expect(found.map((card) => card.id).sort()).toEqual([id(1), id(2), id(3)]);
  });

  it('shows a session once that two named folders lead to', async () => {
    put(`${id(1)}.jsonl`, said(1, 'a'));
    symlinkSync(join(home, '.claude'), join(home, 'link'));
    expect(await claudeCode.list({ env: { CLAUDE_CONFIG_DIR: join(home, 'link') }, home })).toHaveLength(1);
  });

  it('is sorted by the last message, with the file time where there is none or it lies in the future', async () => {
    put(`${id(1)}.jsonl`, said(1, 'old', { timestamp: '2020-01-01T00:00:00.000Z' }));
    const undated = put(`${id(2)}.jsonl`, said(1, 'undated', { timestamp: undefined }));
    const future = put(`${id(3)}.jsonl`, said(1, 'future', { timestamp: '2999-01-01T00:00:00.000Z' }));
    utimesSync(undated, 1.6e9, 1.6e9);
    utimesSync(future, 1.5e9, 1.5e9);
    expect((await claudeCode.list(where)).map((card) => [card.id, card.updated])).toEqual([
      [id(2), '2020-09-13T12:26:40.000Z'],
      [id(1), '2020-01-01T00:00:00.000Z'],
      [id(3), '2017-07-14T02:40:00.000Z'],
    ]);
  });

  it.each<[string, string, string]>([
    [
      'the last custom title',
      `${line({ type: 'custom-title', customTitle: 'one' })}${line({ type: 'custom-title', customTitle: 'two' })}${line({ type: 'ai-title', aiTitle: 'ai' })}`,
      'two',
    ],
    ['the title of the model', `${line({ type: 'ai-title', aiTitle: 'ai' })}${line({ type: 'summary', summary: 'sum', leafUuid: id(1) })}`, 'ai'],
    ['a summary of this session', `${line({ type: 'summary', summary: 'sum', leafUuid: id(1) })}${line({ type: 'last-prompt', lastPrompt: 'last' })}`, 'sum'],
    [
      'no summary of another session',
      `${line({ type: 'summary', summary: 'sum', leafUuid: id(77) })}${line({ type: 'last-prompt', lastPrompt: 'last' })}`,
      'last',
    ],
    ['the first prompt that a person typed', '', 'first real'],
  ])('shows as title %s', async (_, lines, title) => {
    const first = said(5, '<command-name>/clear</command-name>') + said(6, 'meta', { isMeta: true }) + said(1, 'first\n real') + said(2, 'second');
    put(`${id(1)}.jsonl`, first + lines);
    expect((await claudeCode.list(where))[0]?.title).toBe(title);
  });

  it('finds the title beside the session, and one at the end of a large file behind a line longer than the first piece', async () => {
    put(`${id(1)}.jsonl`, said(1, 'x') + line({ type: 'ai-title', aiTitle: 'ai' }));
    put(`${id(1)}/custom-title.json`, JSON.stringify({ customTitle: 'beside' }));
    put(
      `${id(2)}.jsonl`,
      line({ type: 'attachment', attachment: { text: 'y'.repeat(300_000) } }) +
        said(1, 'x') +
        said(2, 'z'.repeat(400_000)) +
        line({ type: 'custom-title', customTitle: 'end' }),
    );
    expect((await claudeCode.list(where)).map((card) => card.title).sort()).toEqual(['beside', 'end']);
  });
});

describe('opening a session', () => {
  it('finds sub-agents and the files beside it, and names what is left', async () => {
    const agents = await claudeCode.open(where, join(fixtures, '07-agents-foreground-parallel'));
    expect(agents.streams.map((s) => s.name)).toEqual(['main', 'agent/a127fe05de65f0e6f', 'agent/a5ff7d23737b2ea88']);
    expect(agents.files.map((f) => f.name)).toEqual(['subagents/agent-a127fe05de65f0e6f.meta.json', 'subagents/agent-a5ff7d23737b2ea88.meta.json']);
    expect((await claudeCode.open(where, join(fixtures, '02-tools-parallel-failing-resumed'))).files.map((f) => f.name)).toEqual([
      'tasks/1.json',
      'tasks/2.json',
    ]);
    const rewound = await claudeCode.open(where, join(fixtures, '16-rewound-titled-file-history'));
    expect([rewound.title, rewound.files.map((f) => f.name), rewound.leftOut]).toEqual(['My Renamed 会话', ['custom-title.json'], ['file history (1 file)']]);
  });

  it('finds tasks and file history at the top of the configuration folder, and the flat sub-agents of 2.0.37', async () => {
    const path = put(`${id(1)}.jsonl`, said(1, 'x', { sessionId: id(1) }));
    put('agent-0a1b2c3d.jsonl', said(1, 'mine', { isSidechain: true, sessionId: id(1) }));
    put('agent-0a1b2c3e.jsonl', said(1, 'not mine', { isSidechain: true, sessionId: id(2) }));
    for (const name of [`tasks/${id(1)}/1.json`, `file-history/${id(1)}/a@v1`, `file-history/${id(1)}/b@v1`, `todos/${id(1)}-agent-${id(1)}.json`]) {
      mkdirSync(dirname(join(home, '.claude', name)), { recursive: true });
      writeFileSync(join(home, '.claude', name), '{}');
    }
    const source = await claudeCode.open(where, path);
    expect(source.streams.map((s) => s.name)).toEqual(['main', 'agent/0a1b2c3d']);
    expect(source.files.map((f) => f.name)).toEqual(['tasks/1.json', `todos/${id(1)}-agent-${id(1)}.json`]);
    expect(source.leftOut).toEqual(['file history (2 files)']);
  });

  it('follows links', async () => {
    const path = put(`${id(1)}.jsonl`, said(1, 'x'));
    const link = join(home, `${id(2)}.jsonl`);
    symlinkSync(path, link);
    expect((await claudeCode.open(where, link)).streams).toEqual([{ name: 'main', path: link }]);
  });

  it.each<[string, string, string, RegExp]>([
    ['an empty file', '', 'not-found', /empty/],
    ['something else', 'hello\nworld\n', 'not-found', /not a Claude Code session/],
    ['a lone summary', line({ type: 'summary', summary: 's', leafUuid: id(1) }), 'not-found', /only summary lines/],
    ['a sub-agent', said(1, 'x', { isSidechain: true }), 'not-found', /sub-agent/],
    ['types of a version to come', line({ type: 'turn', version: '9.0.0' }) + line({ type: 'reply' }), 'unknown-format', /Claude Code 9\.0\.0.*turn/],
  ])('refuses %s and says why', async (_, text, code, words) => {
    const error = await claudeCode.open(where, put(`${id(1)}.jsonl`, text)).catch((e) => e);
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
  });

  it('refuses what is not there and a folder with several sessions', async () => {
    await expect(claudeCode.open(where, join(home, 'nothing'))).rejects.toMatchObject({ code: 'not-found' });
    put(`${id(1)}.jsonl`, said(1, 'x'));
    const second = put(`${id(2)}.jsonl`, said(1, 'x'));
    await expect(claudeCode.open(where, dirname(second))).rejects.toMatchObject({ code: 'ambiguous' });
  });
});

describe('the context window', () => {
  it('is the default, or what the configured model says', async () => {
    expect(await claudeCode.window(where)).toEqual({ tokens: 200_000, reserve: 50_000, maxItems: 100_000, maxBytes: 30_000_000 });
    mkdirSync(join(home, '.claude'), { recursive: true });
    writeFileSync(join(home, '.claude', 'settings.json'), JSON.stringify({ model: 'opus[1m]' }));
    expect((await claudeCode.window(where)).tokens).toBe(1_000_000);
  });
});

describe('the folder of a project', () => {
  it.each([
    ['/home/dev/my_proj.x', '-home-dev-my-proj-x'],
    ['/tmp/项目🎉', '-tmp-----'],
    [`/${'a'.repeat(199)}`, `-${'a'.repeat(199)}`],
  ])('%s', (cwd, folder) => expect(projectDir(cwd)).toBe(folder));
  it('gets a hash where the name would be longer than 200', () => {
    expect(projectDir(`/${'a'.repeat(200)}`)).toMatch(/^-a{199}-[0-9a-z]+$/);
  });
});
