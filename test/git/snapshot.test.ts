import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FileRow, type Project, type Snapshot, type Touch, takeSnapshot, uncommitted } from '#snapshot/index.ts';

/** the token that a redactor puts for the home folder */
const HOME = ['$', '{HOME}'].join('');

let base: string;
let root: string;
let project: Project;
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
const git = (...args: string[]): string => gitIn(root, ...args);
const put = (path: string, content: string | Buffer): void => {
  const full = join(root, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
};
const same = (path: string): string => path;
const touch = (...paths: string[]): Touch[] => paths.map((path) => ({ path, change: 'changed' }));
const take = (touches: Touch[], previous?: Snapshot, redactPath = same): Promise<Snapshot> => takeSnapshot(project, touches, previous, redactPath);
const row = (snapshot: Snapshot, path: string): FileRow | undefined => snapshot.files.find((file) => file.path === path);

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'relay-snapshot-')));
  root = join(base, 'work');
  mkdirSync(root);
  git('init', '-q', '-b', 'main');
  put('src/clean.ts', 'clean\n');
  put('src/edited.ts', 'before\n');
  put('gone.ts', 'gone\n');
  put('.gitignore', '.env\nbuild/\n');
  git('add', '.');
  git('commit', '-qm', 'first');
  project = { root, env: env() };
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

describe('a snapshot of the files of a session', () => {
  test('names the state of each, with the blob ids that git gives', async () => {
    put('src/edited.ts', 'after\n');
    put('new.ts', 'new\n');
    put('staged.ts', 'staged\n');
    git('add', 'staged.ts');
    put('.env', 'A=1\n');
    rmSync(join(root, 'gone.ts'));
    symlinkSync('src/clean.ts', join(root, 'link'));
    writeFileSync(join(base, 'elsewhere.txt'), 'x');
    const touches = touch('src/clean.ts', join(root, 'src/edited.ts'), 'new.ts', 'staged.ts', '.env', 'gone.ts', 'link', join(base, 'elsewhere.txt'), 'src');
    const snapshot = await take(touches);
    expect(snapshot.files.map((f) => [f.path, f.state])).toEqual([
      ['.env', 'ignored'],
      [join(base, 'elsewhere.txt'), 'outside'],
      ['gone.ts', 'deleted'],
      ['link', 'symlink'],
      ['new.ts', 'untracked'],
      ['src/clean.ts', 'clean'],
      ['src/edited.ts', 'modified'],
      ['staged.ts', 'added'],
    ]);
    expect(snapshot).toMatchObject({ objectFormat: 'sha1', head: git('rev-parse', 'HEAD'), tree: git('rev-parse', 'HEAD^{tree}'), branch: 'main' });
    for (const path of ['src/clean.ts', 'src/edited.ts', 'new.ts', 'staged.ts']) expect(row(snapshot, path)?.blob).toBe(git('hash-object', path));
    git('add', 'link');
    expect(row(snapshot, 'link')).toMatchObject({ mode: '120000', blob: git('rev-parse', ':link') });
    expect(row(snapshot, '.env')).toEqual({ path: '.env', state: 'ignored', size: 4, changed: true });
  });

  test('hashes nothing that git ignores, that lies outside, or whose path is redacted', async () => {
    put('.env', 'A=1\n');
    put('keys/tok_abc.txt', 'x\n');
    writeFileSync(join(base, 'other'), 'other\n');
    const snapshot = await take(touch('.env', '../other', 'keys/tok_abc.txt'), undefined, (path) =>
      path.replace(/tok_\w+/, '[REDACTED:x:00000000]').replace(base, HOME),
    );
    const text = JSON.stringify(snapshot);
    for (const content of ['A=1\n', 'x\n', 'other\n']) {
      for (const algorithm of ['sha1', 'sha256', 'md5']) {
        expect(text).not.toContain(createHash(algorithm).update(content).digest('hex'));
        expect(text).not.toContain(createHash(algorithm).update(`blob ${content.length}\0${content}`).digest('hex'));
      }
    }
    expect(snapshot.files.map((f) => f.path)).toEqual([`${HOME}/other`, '.env', 'keys/[REDACTED:x:00000000].txt']);
    const again = await take([], snapshot, (path) => path.replace(/tok_\w+/, '[REDACTED:x:00000000]'));
    expect(again.files).toEqual(snapshot.files);
  });

  test('a tracked file is none that git ignores, whatever .gitignore says', async () => {
    put('build/kept.js', 'kept\n');
    put('build/other.js', 'other\n');
    git('add', '-f', 'build/kept.js');
    const snapshot = await take(touch('build/kept.js', 'build/other.js'));
    expect(snapshot.files.map((f) => f.state)).toEqual(['added', 'ignored']);
  });

  test('a content with a secret is given without hash, unless it is the commit’s own', async () => {
    put('src/edited.ts', 'key = hidden\n');
    const snapshot = await takeSnapshot(project, touch('src/edited.ts', 'src/clean.ts'), undefined, same, () => true);
    expect(row(snapshot, 'src/edited.ts')).toEqual({ path: 'src/edited.ts', state: 'modified', size: 13, changed: true });
    expect(row(snapshot, 'src/clean.ts')?.blob).toBeDefined();
  });

  test('the files of the version before are looked at again, and stay marked as changed', async () => {
    const first = await take([
      { path: 'src/clean.ts', change: 'changed' },
      { path: 'src/edited.ts', change: 'read' },
    ]);
    put('src/clean.ts', 'now different\n');
    rmSync(join(root, 'src/edited.ts'));
    const second = await take([{ path: 'src/clean.ts', change: 'read' }], first);
    expect(second.files).toEqual([
      { path: 'src/clean.ts', changed: true, state: 'modified', mode: '100644', blob: git('hash-object', 'src/clean.ts'), size: 14 },
      { path: 'src/edited.ts', state: 'deleted' },
    ]);
  });

  test('a file that was only looked for and never existed is not listed', async () => {
    expect((await take([{ path: 'no/such/file', change: 'read' }])).files).toEqual([]);
  });

  test('line ends, filters and LFS give the ids that git would store', async () => {
    put('.gitattributes', '*.txt text=auto\n*.big filter=lfs -text\n*.up filter=upper\n');
    git('config', 'filter.upper.clean', 'tr a-z A-Z');
    put('crlf.txt', 'one\r\ntwo\r\n');
    put('loud.up', 'shout\n');
    put('data.big', Buffer.alloc(2000, 7));
    git('add', 'crlf.txt', 'loud.up');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${createHash('sha256').update(Buffer.alloc(2000, 7)).digest('hex')}\nsize 2000\n`;
    const snapshot = await take(touch('crlf.txt', 'loud.up', 'data.big'));
    expect(row(snapshot, 'crlf.txt')?.blob).toBe(git('rev-parse', ':crlf.txt'));
    expect(row(snapshot, 'loud.up')?.blob).toBe(git('rev-parse', ':loud.up'));
    expect(row(snapshot, 'data.big')?.blob).toBe(createHash('sha1').update(`blob ${pointer.length}\0${pointer}`).digest('hex'));
    expect(existsSync(join(root, '.git/lfs'))).toBe(false);
  });

  test('a file over 10 MB and one that can be run are hashed as git does', async () => {
    put('big.bin', Buffer.alloc(11 * 1024 * 1024, 'abc'));
    put('run.sh', '#!/bin/sh\n');
    chmodSync(join(root, 'run.sh'), 0o755);
    const snapshot = await take(touch('big.bin', 'run.sh'));
    expect(row(snapshot, 'big.bin')?.blob).toBe(git('hash-object', 'big.bin'));
    expect(row(snapshot, 'run.sh')?.mode).toBe('100755');
  });

  test('odd names, links that lead out, and the inside of .git', async () => {
    const odd = ['with space.ts', 'ünïcode 中文.ts', '"quoted".ts', ':colon', '-dash', 'new\nline'];
    for (const name of odd) put(name, `${name}\n`);
    mkdirSync(join(base, 'out'));
    writeFileSync(join(base, 'out/secret'), 'x');
    symlinkSync(join(base, 'out'), join(root, 'way'));
    const snapshot = await take(touch(...odd, 'way/secret', '.git/config', '.', '', 'a\0b', 'C:\\Users\\ann\\x.ts'));
    for (const name of odd) expect(row(snapshot, name)).toMatchObject({ state: 'untracked', blob: git('hash-object', '--', name) });
    expect(row(snapshot, join(root, 'way/secret'))).toEqual({ path: join(root, 'way/secret'), state: 'outside', size: 1, changed: true });
    expect(snapshot.files).toHaveLength(odd.length + 2);
  });

  test('a file of a submodule counts by its own repository', async () => {
    mkdirSync(join(root, 'sub'));
    gitIn(join(root, 'sub'), 'init', '-q', '-b', 'main');
    put('sub/.gitignore', 'local\n');
    put('sub/a.ts', 'a\n');
    put('sub/local', 'x\n');
    const snapshot = await take(touch('sub/a.ts', 'sub/local', 'sub'));
    expect(snapshot.files.map((f) => [f.path, f.state, f.blob])).toEqual([
      ['sub/a.ts', 'submodule', git('hash-object', 'sub/a.ts')],
      ['sub/local', 'ignored', undefined],
    ]);
  });

  test('relative paths are those of the session’s folder', async () => {
    const snapshot = await takeSnapshot({ ...project, cwd: join(root, 'src') }, touch('clean.ts', '../gone.ts'), undefined, same);
    expect(snapshot.files.map((f) => f.path)).toEqual(['gone.ts', 'src/clean.ts']);
  });

  test('SHA-256 repositories, linked work trees and repositories without commits', async () => {
    const other = join(base, 'other');
    execFileSync('git', ['init', '-q', '-b', 'main', '--object-format=sha256', other], { env: env() });
    writeFileSync(join(other, 'a'), 'a\n');
    gitIn(other, 'add', 'a');
    expect(await takeSnapshot({ root: other, env: env() }, touch('a'), undefined, same)).toEqual({
      objectFormat: 'sha256',
      head: null,
      tree: null,
      branch: 'main',
      files: [{ path: 'a', changed: true, state: 'added', mode: '100644', blob: gitIn(other, 'rev-parse', ':a'), size: 2 }],
    });
    const linked = join(base, 'linked');
    git('worktree', 'add', '-q', '-b', 'side', linked);
    const snapshot = await takeSnapshot({ root: linked, env: env() }, touch('gone.ts'), undefined, same);
    expect(snapshot).toMatchObject({ branch: 'side', files: [{ path: 'gone.ts', state: 'clean' }] });
  });

  test('a folder without Git is hashed as if it were added', async () => {
    const plain = join(base, 'plain');
    mkdirSync(plain);
    writeFileSync(join(plain, 'a'), 'a\n');
    const snapshot = await takeSnapshot({ root: plain, env: env() }, touch('a', 'b'), undefined, same);
    expect(snapshot.head).toBeNull();
    expect(snapshot.files).toEqual([
      { path: 'a', changed: true, state: 'untracked', mode: '100644', blob: git('hash-object', join(plain, 'a')), size: 2 },
      { path: 'b', changed: true, state: 'deleted' },
    ]);
  });

  test('nothing in the repository is written, the index neither', async () => {
    put('src/edited.ts', 'after\n');
    const state = (): string => execFileSync('sh', ['-c', 'find .git -type f -exec sha1sum {} + | sort'], { cwd: root, encoding: 'utf8' });
    const before = state();
    await take(touch('src/edited.ts', 'src/clean.ts', 'gone.ts'));
    expect(state()).toBe(before);
  });
});

describe('code that a teammate cannot get', () => {
  beforeEach(() => {
    execFileSync('git', ['init', '-q', '--bare', join(base, 'remote.git')], { env: env() });
    git('remote', 'add', 'origin', join(base, 'remote.git'));
    git('push', '-q', 'origin', 'main');
  });
  const left = async (...paths: string[]): Promise<string[]> => uncommitted(project, (await take(touch(...paths))).files, 'origin');

  test('is what the session changed and did not commit, or committed and did not push', async () => {
    put('src/edited.ts', 'after\n');
    put('new.ts', 'new\n');
    put('.env', 'A=1\n');
    const touches = ['src/edited.ts', 'src/clean.ts', 'new.ts', '.env'];
    expect(await left(...touches)).toEqual(['new.ts', 'src/edited.ts']);
    git('add', '.');
    git('commit', '-qm', 'second');
    expect(await left(...touches)).toEqual(['new.ts', 'src/edited.ts']);
    git('push', '-q', 'origin', 'main:other');
    expect(await left(...touches)).toEqual([]);
    appendFileSync(join(root, 'new.ts'), 'more\n');
    expect(await left(...touches)).toEqual(['new.ts']);
  });

  test('is nothing that the session only read', async () => {
    put('src/edited.ts', 'after\n');
    const snapshot = await take([{ path: 'src/edited.ts', change: 'read' }]);
    expect(await uncommitted(project, snapshot.files, 'origin')).toEqual([]);
  });

  test('is all of it where the remote has no branch yet', async () => {
    git('remote', 'add', 'empty', join(base, 'none.git'));
    expect(await uncommitted(project, (await take(touch('src/clean.ts'))).files, 'empty')).toEqual(['src/clean.ts']);
  });
});
