import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compareFiles, type Drift, type Snapshot, takeSnapshot } from '#snapshot/index.ts';

let base: string;
let root: string;
const env = (): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: base,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@b',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@b',
});
const gitIn = (cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, env: env(), encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
const put = (path: string, content: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};
const take = (...paths: string[]): Promise<Snapshot> =>
  takeSnapshot(
    { root, env: env() },
    paths.map((path) => ({ path, change: 'changed' as const })),
    undefined,
    (path) => path,
  );
const drift = (snapshot: unknown, at = root): Promise<Drift[]> => compareFiles({ root: at, env: env() }, snapshot);
const states = (found: Drift[]): Record<string, string> => Object.fromEntries(found.map((d) => [d.path, d.to === undefined ? d.state : `${d.state} ${d.to}`]));
const files = { 'same.ts': 'the same text\n', 'changed.ts': 'before\n', 'deleted.ts': 'deleted text\n', 'src/renamed.ts': 'renamed text\n' };

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'relay-drift-')));
  root = join(base, 'work');
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) put(path, text);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function repository(): void {
  gitIn(root, 'init', '-q', '-b', 'main');
  put('.gitignore', '.env\n');
  gitIn(root, 'add', '.');
  gitIn(root, 'commit', '-qm', 'first');
}

function disturb(): void {
  put('changed.ts', 'after\n');
  rmSync(join(root, 'deleted.ts'));
  mkdirSync(join(root, 'lib'));
  renameSync(join(root, 'src/renamed.ts'), join(root, 'lib/moved.ts'));
}
const disturbed = { 'same.ts': 'same', 'changed.ts': 'changed', 'deleted.ts': 'missing', 'src/renamed.ts': 'renamed lib/moved.ts' };

describe('drift between a snapshot and the files here', () => {
  test('nothing changed: all the same', async () => {
    repository();
    expect(states(await drift(await take(...Object.keys(files))))).toEqual({
      'same.ts': 'same',
      'changed.ts': 'same',
      'deleted.ts': 'same',
      'src/renamed.ts': 'same',
    });
  });

  test('one changed, one deleted, one renamed, one same, the rename not yet staged', async () => {
    repository();
    const snapshot = await take(...Object.keys(files));
    disturb();
    expect(states(await drift(snapshot))).toEqual(disturbed);
  });

  test('the same in another clone, where all of it is committed', async () => {
    repository();
    const snapshot = await take(...Object.keys(files));
    disturb();
    gitIn(root, 'add', '-A');
    gitIn(root, 'commit', '-qm', 'second');
    const clone = join(base, 'clone');
    gitIn(base, 'clone', '-q', root, clone);
    expect(states(await drift(JSON.parse(JSON.stringify(snapshot)), clone))).toEqual(disturbed);
  });

  test('the same in folders without Git', async () => {
    const snapshot = await take(...Object.keys(files));
    disturb();
    expect(states(await drift(snapshot))).toEqual(disturbed);
  });

  test('a checkout with CR LF line ends is the same', async () => {
    repository();
    const snapshot = await take(...Object.keys(files));
    const clone = join(base, 'clone');
    gitIn(base, 'clone', '-q', '-c', 'core.autocrlf=true', root, clone);
    expect(execFileSync('cat', [join(clone, 'same.ts')], { encoding: 'utf8' })).toContain('\r\n');
    expect(new Set((await drift(snapshot, clone)).map((d) => d.state))).toEqual(new Set(['same']));
  });

  test('a repository of another object format compares by content too', async () => {
    repository();
    const snapshot = await take(...Object.keys(files));
    const other = join(base, 'other');
    cpSync(root, other, { recursive: true });
    rmSync(join(other, '.git'), { recursive: true });
    execFileSync('git', ['init', '-q', '--object-format=sha256', other], { env: env() });
    writeFileSync(join(other, 'changed.ts'), 'other\n');
    expect(states(await drift(snapshot, other))).toMatchObject({ 'same.ts': 'same', 'changed.ts': 'changed' });
  });

  test('what was deleted and still is: the same; what came back: changed', async () => {
    repository();
    rmSync(join(root, 'deleted.ts'));
    const snapshot = await take('deleted.ts');
    expect(await drift(snapshot)).toEqual([{ path: 'deleted.ts', state: 'same' }]);
    put('deleted.ts', 'back\n');
    expect(await drift(snapshot)).toEqual([{ path: 'deleted.ts', state: 'changed' }]);
  });

  test('of a file without hash only what is known is said', async () => {
    repository();
    put('.env', 'A=1\n');
    const snapshot = await take('.env');
    expect(await drift(snapshot)).toEqual([]);
    put('.env', 'A=12\n');
    expect(await drift(snapshot)).toEqual([{ path: '.env', state: 'changed' }]);
    rmSync(join(root, '.env'));
    expect(await drift(snapshot)).toEqual([{ path: '.env', state: 'missing' }]);
  });

  test('a copy that was there already is no new name, and neither is an empty file', async () => {
    put('copy.ts', files['deleted.ts']);
    put('empty-a', '');
    repository();
    const snapshot = await take('deleted.ts', 'empty-a');
    rmSync(join(root, 'deleted.ts'));
    rmSync(join(root, 'empty-a'));
    put('empty-b', '');
    expect(states(await drift(snapshot))).toEqual({ 'deleted.ts': 'missing', 'empty-a': 'missing' });
  });

  test('two equal files that moved get a place each, by their names', async () => {
    put('a/x.ts', 'equal\n');
    put('b/y.ts', 'equal\n');
    repository();
    const snapshot = await take('a/x.ts', 'b/y.ts');
    mkdirSync(join(root, 'c'));
    renameSync(join(root, 'a/x.ts'), join(root, 'c/x.ts'));
    renameSync(join(root, 'b/y.ts'), join(root, 'c/y.ts'));
    expect(states(await drift(snapshot))).toEqual({ 'a/x.ts': 'renamed c/x.ts', 'b/y.ts': 'renamed c/y.ts' });
  });

  test('rows that point out of the project, and things that are no snapshot, are passed over', async () => {
    repository();
    mkdirSync(join(base, 'out'));
    writeFileSync(join(base, 'out/x'), 'x');
    symlinkSync(join(base, 'out'), join(root, 'way'));
    const blob = 'a'.repeat(40);
    const hostile = ['../out/x', 'way/x', '/etc/passwd', 'src/../../out/x', '.git/config', '', 'a\0b'].map((path) => ({ path, state: 'clean', blob, size: 1 }));
    expect(
      await drift({ objectFormat: 'sha1', head: '--upload-pack=x', files: [...hostile, 7, null, { path: 'same.ts' }, { path: 'same.ts', state: 'odd' }] }),
    ).toEqual([]);
    for (const value of [undefined, null, [], 'x', { files: {} }]) expect(await drift(value)).toEqual([]);
  });

  test('a folder where a file was is a change', async () => {
    repository();
    const snapshot = await take('deleted.ts');
    rmSync(join(root, 'deleted.ts'));
    mkdirSync(join(root, 'deleted.ts'));
    expect(await drift(snapshot)).toEqual([{ path: 'deleted.ts', state: 'changed' }]);
  });

  test('the index stays as it is', async () => {
    repository();
    const snapshot = await take(...Object.keys(files));
    disturb();
    const before = execFileSync('sha1sum', [join(root, '.git/index')], { encoding: 'utf8' });
    await drift(snapshot);
    expect(execFileSync('sha1sum', [join(root, '.git/index')], { encoding: 'utf8' })).toBe(before);
  });
});
