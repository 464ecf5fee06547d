import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codex } from '#adapters/codex/index.ts';
import type { Where } from '#session/source.ts';
import { asked, fixture, metaLine, rolloutLine } from '../support/codex.ts';

const PLAIN = '01a22c35-2c91-79b0-a0af-b94749a2e016';
const UNICODE = '01a22c21-101f-7492-8ef7-0f36bf352f51';
const FORK = '01a22c21-1263-7e52-8f48-a15c16e48a55';
const REVERTED = '01a22c35-3b13-7a00-9ed3-c053fdf1fbd2';
const SEGMENT = '01a22c35-3da8-7690-a3e0-5f2c5a4a2d11';
const PARENT = '01a22c2c-f9ec-76f1-8b07-fa43b6200ab1';
const CHILD = '01a22c2c-fa5f-7083-8b56-ae092810e4ba';

let home: string;
let where: Where;
const day = () => join(home, '.codex', 'sessions', '2026', '11', '30');
/** Puts a fixture where the client keeps it. */
function lay(name: string, id: string, time = '2026-11-30T11-00-00', folder = day()): string {
  const path = join(folder, `rollout-${time}-${id}.jsonl`);
  mkdirSync(folder, { recursive: true });
  cpSync(fixture(`${name}.jsonl`), path);
  utimesSync(path, new Date('2026-11-30T12:00:00Z'), new Date('2026-11-30T12:00:00Z'));
  return path;
}

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'relay-codex-')));
  where = { env: {}, home };
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('list', () => {
  it('gives nothing where Codex is not installed', async () => {
    expect(await codex.list(where)).toEqual([]);
  });

  it('takes title, times, folder, version, branch and model from the head of the file', async () => {
    const path = lay('exec-plain', PLAIN);
    expect(await codex.list(where)).toEqual([
      {
        agent: 'codex',
        id: PLAIN,
        title: 'Say hello',
        cwd: '/home/dev/src/relay-test/work/a/proj',
        path,
        created: '2026-11-30T11:26:52.058Z',
        updated: '2026-11-30T12:00:00.000Z',
        version: '0.171.0',
        branch: 'main',
        model: 'gpt-5.5',
      },
    ]);
  });

  it('prefers the last name given to the thread', async () => {
    lay('exec-plain', PLAIN);
    for (const thread_name of ['Old name', 'New name'])
      appendFileSync(join(home, '.codex', 'session_index.jsonl'), `${JSON.stringify({ id: PLAIN, thread_name, updated_at: '' })}\n`);
    expect((await codex.list(where)).map((card) => card.title)).toEqual(['New name']);
  });

  it('leaves out sub-agents and makes one session of the files of a rewound thread', async () => {
    lay('subagent-parent', PARENT);
    lay('subagent-child', CHILD);
    lay('paginated-reverted.base', REVERTED);
    const head = lay('paginated-reverted.segment', `${REVERTED}_${SEGMENT}`, '2026-11-30T11-00-01');
    const cards = await codex.list(where);
    expect(cards.map((card) => card.id).sort()).toEqual([PARENT, REVERTED].sort());
    expect(cards.find((card) => card.id === REVERTED)).toMatchObject({ path: head, title: 'Q1' });
  });

  it('finds flat files and other folders below sessions, not what was archived', async () => {
    lay('exec-plain', PLAIN, undefined, join(home, '.codex', 'sessions'));
    lay('exec-forked', FORK, undefined, join(home, '.codex', 'sessions', 'more'));
    lay('exec-unicode-resumed', UNICODE, undefined, join(home, '.codex', 'archived_sessions'));
    expect((await codex.list(where)).map((card) => card.id).sort()).toEqual([PLAIN, FORK].sort());
  });

  it('follows CODEX_HOME and the folders of the settings', async () => {
    lay('exec-plain', PLAIN, undefined, join(home, 'a', 'sessions', '2026', '11', '30'));
    lay('exec-forked', FORK, undefined, join(home, 'b', 'sessions'));
    const cards = await codex.list({ env: { CODEX_HOME: join(home, 'a') }, home, roots: [join(home, 'b')] });
    expect(cards.map((card) => card.id).sort()).toEqual([PLAIN, FORK].sort());
  });

  it('keeps the sessions of a folder and of what lies below it', async () => {
    lay('exec-plain', PLAIN);
    const at = async (cwd: string) => (await codex.list(where, { cwd })).length;
    expect([
      await at('/home/dev/src/relay-test/work/a/proj'),
      await at('/home/dev/src/relay-test/work/a'),
      await at('/home/dev/src/relay-test/work/a/pro'),
      await at('/'),
    ]).toEqual([1, 1, 0, 1]);
  });

  it('names a compressed rollout', async () => {
    mkdirSync(day(), { recursive: true });
    writeFileSync(join(day(), `rollout-2026-11-30T11-00-00-${PLAIN}.jsonl.zst`), '');
    const [card] = await codex.list(where);
    expect(card).toMatchObject({ id: PLAIN, title: '(compressed rollout)' });
    await expect(codex.open(where, card?.path ?? '')).rejects.toMatchObject({ code: 'unknown-format' });
  });
});

describe('open', () => {
  it('takes a lone file under any name', async () => {
    const source = await codex.open(where, fixture('exec-tools-gpt55.jsonl'));
    expect(source).toMatchObject({ id: '01a22c20-b9ec-7b51-b0d6-77312aab9b96', title: 'Create hello.txt', files: [], leftOut: [] });
    expect(source.streams.map((stream) => stream.name)).toEqual(['main']);
  });

  it('adds the part of the file that a fork goes on from', async () => {
    const base = lay('exec-unicode-resumed', UNICODE);
    const path = lay('exec-forked', FORK, '2026-11-30T11-05-00');
    const source = await codex.open(where, path);
    expect(source.streams).toEqual([
      { name: 'main', path },
      { name: `base/${UNICODE}`, path: base, end: 47363 },
    ]);
    expect(source.title).toBe('你好,请读取「文件.txt」 é 🚀');
  });

  it('finds it in another day’s folder', async () => {
    const base = lay('exec-unicode-resumed', UNICODE, '2026-01-05T11-00-00', join(home, '.codex', 'sessions', '2026', '01', '05'));
    expect((await codex.open(where, lay('exec-forked', FORK))).streams[1]?.path).toBe(base);
  });

  it('takes the newest file of a rewound thread, also from its folder, and names what was rewound', async () => {
    const base = lay('paginated-reverted.base', REVERTED);
    const path = lay('paginated-reverted.segment', `${REVERTED}_${SEGMENT}`, '2026-11-30T11-00-01');
    for (const given of [path, day()]) {
      const source = await codex.open(where, given);
      expect(source.streams).toEqual([
        { name: 'main', path },
        { name: `base/${REVERTED}`, path: base, end: 41970 },
      ]);
      expect(source.leftOut).toEqual([expect.stringContaining('rewound (5253 bytes')]);
    }
  });

  it('follows a rewind of a rewind by the segment’s id', async () => {
    mkdirSync(day(), { recursive: true });
    const put = (name: string, lines: string[]): { path: string; size: number } => {
      const path = join(day(), `rollout-2026-11-30T11-00-00-${name}.jsonl`);
      writeFileSync(path, `${lines.join('\n')}\n`);
      return { path, size: readFileSync(path).length };
    };
    const first = put(REVERTED, [metaLine({ id: REVERTED }), ...asked('Q1')]);
    const second = put(`${REVERTED}_${SEGMENT}`, [
      metaLine({ id: REVERTED, history_base: { thread_id: REVERTED, end_ordinal_exclusive: 3, end_byte_offset: first.size } }),
      ...asked('Q2'),
    ]);
    const third = put(`${REVERTED}_01a22cb8-7267-7db1-bbc1-d5d35667fb57`, [
      metaLine({ id: REVERTED, history_base: { thread_id: SEGMENT, end_ordinal_exclusive: 3, end_byte_offset: second.size } }),
      ...asked('Q3'),
    ]);
    expect((await codex.open(where, third.path)).streams.map((stream) => stream.path)).toEqual([third.path, second.path, first.path]);
  });

  it('adds the transcripts of sub-agents', async () => {
    const child = lay('subagent-child', CHILD);
    const source = await codex.open(where, lay('subagent-parent', PARENT));
    expect(source.streams.slice(1)).toEqual([{ name: `agent/${CHILD}`, path: child }]);
  });

  it.each([
    ['a missing file', () => join(home, 'nothing.jsonl'), 'not-found', 'no file'],
    ['an empty file', () => put(''), 'not-found', 'empty'],
    ['text', () => put('hello\nworld\n'), 'not-found', 'no Codex session'],
    ['another format', () => put('{"type":"user","message":{}}\n'), 'unknown-format', 'session_meta'],
    [
      'a mode of the future',
      () => put(`${metaLine({ history_mode: 'tree', cli_version: '9.1.0' })}\n`),
      'unknown-format',
      'Codex 9.1.0 wrote history_mode "tree"',
    ],
    [
      'types of the future',
      () => put(`${metaLine({ cli_version: '9.1.0' })}\n${rolloutLine('entry', {})}\n`),
      'unknown-format',
      'Codex 9.1.0 wrote only record types that this relay does not know (entry)',
    ],
    ['a fork whose base is missing', () => lay('exec-forked', FORK), 'not-found', UNICODE],
    ['a folder without sessions', () => home, 'not-found', 'no Codex session'],
  ])('refuses %s', async (_, path, code, message) => {
    await expect(codex.open(where, path())).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it('asks which one, where a folder holds several', async () => {
    lay('exec-plain', PLAIN);
    lay('subagent-parent', PARENT);
    await expect(codex.open(where, day())).rejects.toMatchObject({ code: 'ambiguous' });
  });

  function put(text: string): string {
    const path = join(home, 'file.jsonl');
    writeFileSync(path, text);
    return path;
  }
});

describe('window', () => {
  const config = (text: string) => {
    mkdirSync(join(home, '.codex'), { recursive: true });
    writeFileSync(join(home, '.codex', 'config.toml'), text);
    return codex.window(where);
  };
  it('has a default', async () => {
    expect(await codex.window(where)).toMatchObject({ tokens: 128_000, reserve: 30_000 });
  });
  it('takes the configured figure, the profile’s first', async () => {
    expect(await config('model_context_window = 200000\n')).toMatchObject({ tokens: 200_000, reserve: 30_000 });
    expect(await config('profile = "big"\nmodel_context_window = 200000\n[profiles.big]\nmodel_context_window = 1000000\n')).toMatchObject({
      tokens: 1_000_000,
      reserve: 120_000,
    });
  });
  it('stays below the size at which the client compacts by itself', async () => {
    expect(await config('model_context_window = 200000\nmodel_auto_compact_token_limit = 100000\n')).toMatchObject({ tokens: 100_000 });
  });
});
