import { describe, expect, test } from 'vitest';
import { commits } from '#context/brief/commits.ts';
import { files } from '#context/brief/files.ts';
import { change, read, run, type Told, told } from '../support/session-told.ts';

const lines = (things: readonly Told[]): string[] => files(told(things)).map(({ text, mark }) => `${text}${mark && ` ${mark}`}`);

const NONE = { state: 'none' } as const;
const failed = (output: string) => ({ exit: 1, output });

describe('the net state of files', () => {
  test.each<[string, Told[], string[]]>([
    ['an edit', [change('changed', '/home/mia/work/shop/src/a.ts')], ['src/a.ts: changed']],
    ['a file outside of the folder', [change('changed', '/etc/hosts')], ['/etc/hosts: changed']],
    ['read, then edited', [read('src/a.ts'), change('changed', 'src/a.ts')], ['src/a.ts: changed']],
    ['read only, after what was changed', [read('src/a.ts'), change('created', 'b.ts')], ['b.ts: created', 'src/a.ts: read']],
    ['in the order of the last change', [change('changed', 'a'), change('changed', 'b'), change('changed', 'a')], ['b: changed', 'a: changed']],
    ['an edit that failed', [change('changed', 'a.ts', { state: 'failed' })], []],
    ['an edit that was refused', [change('changed', 'a.ts', { state: 'refused' })], []],
    ['an edit without a result', [change('changed', 'a.ts', NONE)], ['a.ts: a change was begun, nothing says how it ended (to be confirmed)']],
    ['one without a result, then one with', [change('changed', 'a.ts', NONE), change('changed', 'a.ts')], ['a.ts: changed']],
    ['created and deleted again', [change('created', 'src/x.ts'), run('rm src/x.ts')], ['src/x.ts: net change none (created and deleted again)']],
    [
      'written by the shell and removed with others',
      [run("cat > t.py <<'EOF'\nprint(1)\nEOF\npython3 t.py; rm -f t.py other.txt")],
      ['t.py: net change none (created and deleted again)', 'other.txt: deleted'],
    ],
    ['edited and restored', [change('changed', 'a.ts'), run('git checkout -- a.ts')], ['a.ts: net change none (changed and taken back)']],
    [
      'edited and restored, with git restore .',
      [change('changed', 'a.ts'), change('created', 'b.ts'), run('git restore .')],
      ['b.ts: created', 'a.ts: net change none (changed and taken back)'],
    ],
    [
      'a new file survives reset --hard',
      [change('created', 'b.ts'), change('changed', 'a.ts'), run('git reset --hard')],
      ['b.ts: created', 'a.ts: net change none (changed and taken back)'],
    ],
    [
      'a staged new file does not',
      [change('created', 'b.ts'), run('git add -A && git reset --hard HEAD')],
      ['b.ts: net change none (created and deleted again)'],
    ],
    ['git clean', [change('created', 'b.ts'), run('git clean -fd')], ['b.ts: net change none (created and deleted again)']],
    ['git clean -n only shows', [change('created', 'b.ts'), run('git clean -nfd')], ['b.ts: created']],
    ['stashed', [change('changed', 'a.ts'), run('git stash')], ['a.ts: net change none (changed, then put into a git stash that was not taken out again)']],
    ['stashed and popped', [change('changed', 'a.ts'), run('git stash'), run('npm test'), run('git stash pop')], ['a.ts: changed']],
    ['stash without new files', [change('created', 'n.ts'), run('git stash push -m "wip"')], ['n.ts: created']],
    [
      'stash with new files',
      [change('created', 'n.ts'), run('git stash -u')],
      ['n.ts: net change none (changed, then put into a git stash that was not taken out again)'],
    ],
    [
      'two stashes',
      [change('changed', 'a'), run('git stash'), change('changed', 'b'), run('git stash'), run('git stash drop'), run('git stash pop')],
      ['b: net change none (changed, then put into a git stash that was not taken out again)', 'a: changed'],
    ],
    [
      'the opposite edit',
      [change('changed', 'a.ts', { swaps: [['x = 1', 'x = 2']] }), change('changed', 'a.ts', { swaps: [['x = 2', 'x = 1']] })],
      ['a.ts: net change none (changed and taken back)'],
    ],
    [
      'the opposite of one of two edits',
      [
        change('changed', 'a', {
          swaps: [
            ['1', '2'],
            ['3', '4'],
          ],
        }),
        change('changed', 'a', { swaps: [['2', '1']] }),
      ],
      ['a: changed'],
    ],
    [
      'changed in steps, and back',
      ['12', '23', '31'].map(([was, is]) => change('changed', 'a', { swaps: [[`x = ${was}`, `x = ${is}`]] })),
      ['a: net change none (changed and taken back)'],
    ],
    [
      'taken back with more lines around it',
      [change('changed', 'a', { swaps: [['x = 1', 'x = 2']] }), change('changed', 'a', { swaps: [['one\nx = 2\ntwo', 'one\nx = 1\ntwo']] })],
      ['a: net change none (changed and taken back)'],
    ],
    [
      'put in, and taken out again',
      [change('changed', 'a', { swaps: [['one', 'one\nnew']] }), change('changed', 'a', { swaps: [['zero\none\nnew', 'zero\none']] })],
      ['a: net change none (changed and taken back)'],
    ],
    [
      'a line put in elsewhere than it was taken out',
      [change('changed', 'a', { swaps: [['one\nnew', 'one']] }), change('changed', 'a', { swaps: [['six', 'six\nnew']] })],
      ['a: changed'],
    ],
    ['renamed, with changes', [change('renamed', 'a.ts', { to: 'b.ts', swaps: [['1', '2']] })], ['a.ts -> b.ts: renamed and changed']],
    [
      'a shell that stays in its folder',
      [run('cd api && ls', '', { shell: 'kept' }), run('rm a.ts', '', { shell: 'kept' }), run('rm b.ts')],
      ['api/a.ts: deleted', 'b.ts: deleted'],
    ],
    [
      'a shell that does not: the folder is missing, the client goes back, a command in the background',
      [
        run('cd nope && ls', 'bash: cd: nope: No such file or directory', { exit: 1, shell: 'kept' }),
        run('cd /tmp && ls', '', { shell: '/home/mia/work/shop' }),
        run('cd web && npm start', '', { shell: 'kept', state: 'running' }),
        run('rm a.ts', '', { shell: 'kept' }),
      ],
      ['a.ts: deleted'],
    ],
    ['git mv', [run('git mv src/old.ts src/new.ts')], ['src/old.ts -> src/new.ts: renamed']],
    [
      'a chain of renames',
      [run('git mv a.ts b.ts'), change('renamed', 'b.ts', { to: 'c.ts' }), change('changed', 'c.ts')],
      ['a.ts -> c.ts: renamed and changed'],
    ],
    ['renamed and back', [run('mv a.ts b.ts'), run('mv b.ts a.ts')], ['a.ts: net change none (changed and taken back)']],
    ['created, then renamed', [change('created', 'a.ts'), run('mv a.ts lib/')], ['lib/a.ts: created']],
    ['a folder is renamed', [read('src/old/x.ts'), run('git mv src/old src/new')], ['src/old/x.ts -> src/new/x.ts: renamed', 'src/old -> src/new: renamed']],
    ['a temporary file put in place', [read('a.ts'), run('sed s/x/y/ a.ts > a.tmp && mv a.tmp a.ts')], ['a.ts: changed']],
    ['several into a folder', [run('mv a.ts b.ts lib')], ['a.ts -> lib/a.ts: renamed', 'b.ts -> lib/b.ts: renamed']],
    ['a copy', [run('cp .env.example .env')], ['.env: created as a copy of .env.example']],
    [
      'a folder that the session made, removed',
      [change('created', 'tmp/a'), change('created', 'tmp/b'), run('rm -rf tmp')],
      ['tmp/a: net change none (created and deleted again)', 'tmp/b: net change none (created and deleted again)'],
    ],
    ['a folder that was there, removed', [run('rm -rf legacy')], ['legacy: deleted']],
    ['deleted and restored', [run('git rm old.ts'), run('git checkout HEAD -- old.ts')], ['old.ts: net change none (changed and taken back)']],
    ['git rm --cached leaves the file', [run('git rm --cached .env')], []],
    ['a new folder is told by its files', [run('mkdir -p src/lib && touch src/lib/a.ts')], ['src/lib/a.ts: created']],
    ['an empty one by itself', [run('mkdir -p data/out')], ['data/out: created']],
    ['sed -i on several files', [run("sed -i '' -e 's/a/b/' x.ts y.ts")], ['x.ts: changed', 'y.ts: changed']],
    ['sed without -i reads', [run("sed -n '1,80p' x.ts")], ['x.ts: read']],
    ['perl', [run("perl -0pi -e 's/a/b/g' x.ts")], ['x.ts: changed']],
    ['appending', [run('echo dist >> .gitignore')], ['.gitignore: changed']],
    ['no files', [run('npm test > /dev/null 2>&1')], []],
    ['a variable and a loop', [run('D=src; for f in a b; do sed -i s/x/y/ $D/$f.ts; done')], ['src/a.ts: changed', 'src/b.ts: changed']],
    ['an unknown variable', [run('rm $TARGET/x')], []],
    ['cd', [run('cd packages/api && touch x.ts && cd .. && touch y.ts')], ['packages/api/x.ts: created', 'packages/y.ts: created']],
    ['a subshell', [run('(cd packages/api && touch x.ts); touch y.ts')], ['packages/api/x.ts: created', 'y.ts: created']],
    ['bash -lc', [run('bash -lc "cd web && sed -i s/a/b/ app.js"')], ['web/app.js: changed']],
    ['the folder that the call names', [run('touch x.ts', '', { cwd: '/home/mia/work/shop/api' })], ['api/x.ts: created']],
    ['sudo and env', [run('sudo -E FOO=1 rm /etc/old.conf')], ['/etc/old.conf: deleted']],
    ['tee', [run('npm run build 2>&1 | tee build.log')], ['build.log: created']],
    ['a manifest', [run('npm install -D vitest@3')], ['package.json: changed', 'package-lock.json: changed']],
    ['an install of what the manifest says', [run('npm ci && npm install')], []],
    [
      'a patch',
      [run("git --no-pager log; apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.ts\n@@\n-x\n+y\n*** Delete File: b.ts\n*** End Patch\nEOF")],
      ['a.ts: changed', 'b.ts: deleted'],
    ],
    [
      'python that writes',
      [run("python3 - <<'PY'\nfrom pathlib import Path\np = Path('src/a.py')\ns = p.read_text()\np.write_text(s.replace('a','b'))\nPY")],
      ['src/a.py: changed'],
    ],
    ['what failed', [run('rm a.ts', "rm: cannot remove 'a.ts': No such file or directory", { exit: 1 })], []],
    ['what ran before the failure', [run('git mv a.ts b.ts && npm test', 'FAIL test/a.test.ts', { exit: 1 })], ['a.ts -> b.ts: renamed']],
    [
      'what did not',
      [run('npm test && git mv a.ts b.ts', 'FAIL test/a.test.ts', { exit: 1 })],
      ['a.ts: a change was begun, nothing says how it ended (to be confirmed)'],
    ],
    [
      'a move that failed itself',
      [run('git mv a.ts b.ts && npm test', 'fatal: bad source, source=a.ts, destination=b.ts', { exit: 128 })],
      ['a.ts: a change was begun, nothing says how it ended (to be confirmed)'],
    ],
    ['an alternative', [run('test -f x || touch x')], ['x: a change was begun, nothing says how it ended (to be confirmed)']],
    [
      'killed in the middle',
      [run('npm run migrate && rm old.sql', '', { state: 'aborted' })],
      ['old.sql: a change was begun, nothing says how it ended (to be confirmed)'],
    ],
    [
      'committed, then restored to the commit',
      [change('changed', 'a.ts'), run('git commit -qam "x"'), change('changed', 'a.ts'), run('git checkout a.ts')],
      ['a.ts: changed'],
    ],
    [
      'a commit taken back',
      [change('changed', 'a.ts'), run('git commit -am x', '[main 1a2b3c4] x\n 1 file changed'), run('git reset --hard HEAD~1')],
      ['a.ts: net change none (changed and taken back)'],
    ],
    [
      'a commit taken back, its changes kept',
      [change('changed', 'a.ts'), run('git commit -am x', '[main 1a2b3c4] x'), run('git reset --soft HEAD^')],
      ['a.ts: changed'],
    ],
    [
      'a commit reverted',
      [
        change('changed', 'a.ts'),
        change('created', 'b.ts'),
        run('git add . && git commit -m x', '[main 1a2b3c4] x'),
        run('git revert --no-edit 1a2b3c4', '[main 5d6e7f8] Revert "x"'),
      ],
      ['a.ts: net change none (changed and taken back)', 'b.ts: net change none (created and deleted again)'],
    ],
  ])('%s', (_, things, expected) => expect(lines(things)).toEqual(expected));

  test('plain reads beyond 200 are counted', () => {
    const points = files(told(Array.from({ length: 260 }, (_, n) => read(`src/f${n}.ts`))));
    expect(points).toHaveLength(201);
    expect(points.at(-1)?.text).toBe('and 60 more files that were only read');
  });

  test('each names its operations, of many the first and the last', () => {
    const [point] = files(told(Array.from({ length: 9 }, () => change('changed', 'a.ts'))));
    expect(point?.cites).toEqual(['E#1', 'E#7', 'E#8', 'E#9']);
  });
});

describe('commits', () => {
  const texts = (things: readonly Told[]): string[] => commits(told(things)).map(({ text }) => text);
  test.each<[string, Told[], string[]]>([
    [
      'with id, branch and files',
      [change('changed', 'a.ts'), run('git add a.ts && git commit -m "Fix sum"', '[main 1a2b3c4] Fix sum\n 1 file changed, 1 insertion(+)')],
      ['commit 1a2b3c4 on main: Fix sum (a.ts)'],
    ],
    [
      'message from a document',
      [run('git commit -m "$(cat <<\'EOF\'\nAdd tax\n\nbody\nEOF\n)"', '[feat/tax 9f8e7d6] Add tax')],
      ['commit 9f8e7d6 on feat/tax: Add tax'],
    ],
    [
      'only what was staged',
      [change('changed', 'a'), change('changed', 'b'), run('git add b; git commit -m B', '[main 1a2b3c4] B')],
      ['commit 1a2b3c4 on main: B (b)'],
    ],
    ['nothing to commit', [run('git commit -m x', 'nothing to commit, working tree clean', { exit: 1 })], []],
    ['a hook refused it', [change('changed', 'a'), run('git commit -am x', 'husky - pre-commit hook exited with code 1', failed('x'))], []],
    [
      'amended',
      [change('changed', 'a'), run('git commit -am A', '[main 1a2b3c4] A'), change('changed', 'b'), run('git commit -a --amend --no-edit', '[main 2b3c4d5] A')],
      ['commit 2b3c4d5 on main: A (a, b)'],
    ],
    [
      'taken back',
      [change('changed', 'a'), run('git commit -am A', '[main 1a2b3c4] A'), run('git reset --hard HEAD~')],
      ['commit 1a2b3c4 on main: A (a); taken off the branch again (E#3)'],
    ],
    [
      'what was sent stays',
      [change('changed', 'a'), run('git commit -am A', '[main 1a2b3c4] A'), run('git push -u origin main'), run('git reset --hard origin/main')],
      ['commit 1a2b3c4 on main: A (a)', 'git push -u origin main'],
    ],
    ['a push that failed', [run('git push', '! [rejected] main -> main (fetch first)', { exit: 1 })], []],
    [
      'the id of a quiet one from the log',
      [run("git commit -qm 'Fix sum' --allow-empty && git log --oneline -1", 'd07b5f3 (HEAD -> main) Fix sum')],
      ['commit d07b5f3: Fix sum'],
    ],
    ['the id from rev-parse', [run("git commit -qm 'Fix sum' && git rev-parse --short HEAD", 'c07f3aa')], ['commit c07f3aa: Fix sum']],
    ['a tag, and a list of them', [run('git tag v1.2.0'), run('git tag -l "v*"')], ['git tag v1.2.0']],
  ])('%s', (_, things, expected) => expect(texts(things)).toEqual(expected));
});
