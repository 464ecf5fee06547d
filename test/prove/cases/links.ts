import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RELAY } from '../../support/lab.ts';
import { runProgram } from '../../support/processes.ts';
import { waitingIn } from '../../support/queue.ts';
import { inWorld, nameOf, type Prove, type World, writeFileAt } from '../world.ts';

interface Behind {
  commit: string;
  handoffs: { handoff: string; version: number; agent: string; session: string; how: string }[];
}

const VARIABLES = { 'claude-code': 'CLAUDE_CODE_SESSION_ID', codex: 'CODEX_THREAD_ID' } as const;

/** What happens to commits of a session until they are on main. `git` of a person, `session` of the session; all end on main in Ann's checkout. */
interface Stage {
  git(...args: string[]): string;
  session(message: string, files: Record<string, string>): void;
  /** what a forge does with the branch that was pushed: one commit, the title alone, the branch deleted */
  forge(branch: string, title: string, before: Record<string, string>): void;
  todo(script: string): void;
}

const text = (name: string, count = 40): string => Array.from({ length: count }, (_, i) => `${name}, line ${i}\n`).join('');

/** [what, how it is done, how many of the newest commits are the session's] */
const STORIES: [string, (stage: Stage) => void, number][] = [
  ['a commit as it was made', ({ session }) => session('Plain', { 'plain.txt': text('plain') }), 1],
  [
    'amend',
    ({ git, session }) => {
      session('Amended', { 'amend.txt': text('amend') });
      git('commit', '-q', '--amend', '--no-edit', '--date=2026-01-01T00:00:00');
    },
    1,
  ],
  [
    'amend -m',
    ({ git, session }) => {
      session('Worded', { 'worded.txt': text('worded') });
      git('commit', '-q', '--amend', '-m', 'In other words');
    },
    1,
  ],
  [
    'rebase -i with the order changed, a squash and a fixup',
    ({ session, todo }) => {
      for (const name of ['r1', 'r2', 'r3', 'r4']) session(`Add ${name}`, { [`${name}.txt`]: text(name) });
      todo('sed -n 3p "$1"; sed -n 1p "$1"; sed -n 2p "$1" | sed "s/^pick/squash/"; sed -n 4p "$1" | sed "s/^pick/fixup/"');
    },
    2,
  ],
  [
    'cherry-pick from a branch that is deleted',
    ({ git, session }) => {
      git('checkout', '-q', '-b', 'pick');
      session('Picked', { 'picked.txt': text('picked') });
      git('checkout', '-q', 'main');
      git('commit', '-q', '--allow-empty', '-m', 'Meanwhile');
      git('cherry-pick', 'pick');
      git('branch', '-q', '-D', 'pick');
    },
    1,
  ],
  [
    'merge --squash of a branch that is deleted',
    ({ git, session }) => {
      git('checkout', '-q', '-b', 'squash');
      session('One', { 's1.txt': text('s1') });
      session('Two', { 's1.txt': text('s1', 41), 's2.txt': text('s2') });
      git('checkout', '-q', 'main');
      git('merge', '-q', '--squash', 'squash');
      git('commit', '-q', '-m', 'All of it');
      git('branch', '-q', '-D', 'squash');
    },
    1,
  ],
  [
    'a squash of a forge: the title alone, on a base that has moved, the branch deleted',
    ({ session, forge, git }) => {
      git('checkout', '-q', '-b', 'forged');
      session('One', { 'f1.txt': text('f1') });
      session('Two', { 'f2.txt': text('f2') });
      forge('forged', 'Add what was asked for (#7)', { 'moved.txt': 'moved\n' });
    },
    1,
  ],
  [
    'the same, where the base has changed the same file',
    ({ session, forge, git }) => {
      session('Base', { 'both.txt': text('both') });
      git('push', '-q', 'origin', 'main');
      git('checkout', '-q', '-b', 'both');
      session('One', { 'both.txt': `${text('both')}the end\n` });
      session('Two', { 'both.txt': `${text('both')}the end\nof it\n` });
      forge('both', 'Add more (#8)', { 'both.txt': `the beginning\n${text('both')}` });
    },
    1,
  ],
];

/** However the commits of a session come to main, `relay log` finds it behind them: where they were made and at a teammate's; behind those of others it finds none. */
export const prove: Prove = (input, prover) =>
  inWorld(input, prover, async (w) => {
    const { ann, bob, annProject, bobProject, session } = w;
    await w.json(ann, annProject, 'hooks', 'install', '--yes');
    await w.json(ann, annProject, 'push', nameOf(session));
    const stage = stageOf(w);
    const expected: { what: string; commit: string; mine: boolean }[] = [];
    for (const [what, tell, count] of STORIES) {
      tell(stage);
      for (let n = 0; n < count; n++) expected.push({ what, commit: stage.git('rev-parse', `main~${n}`), mine: true });
      writeFileAt(join(annProject, 'typed.txt'), `after ${what}\n`);
      stage.git('add', 'typed.txt');
      stage.git('commit', '-q', '-m', 'By hand');
      expected.push({ what: `a commit of nobody’s after ${what}`, commit: stage.git('rev-parse', 'main'), mine: false });
    }
    await drained(w);
    await w.json(ann, annProject, 'push', nameOf(session));
    stage.git('push', '-q', 'origin', 'main');
    w.git(bob, bobProject, 'pull', '-q');
    await w.json(bob, bobProject, 'pull');
    for (const [who, cwd, where] of [
      [ann, annProject, 'here'],
      [bob, bobProject, "at a teammate's"],
    ] as const)
      for (const { what, commit, mine } of expected) {
        const found = await w.json<Behind>(who, cwd, 'log', commit);
        const ok = found.commit === commit && found.handoffs.length === (mine ? 1 : 0) && found.handoffs.every((one) => one.session === session.id);
        prover.check(ok, `${where}: ${what}${mine ? ` (${found.handoffs[0]?.how})` : ' has no session'}`, JSON.stringify(found));
      }
    const shown = await w.json<Behind>(bob, bobProject, 'show', `commit:${expected[0]?.commit}`);
    prover.check(shown.handoffs[0]?.session === session.id, 'show tells of the session behind a commit');
    const messages = [w.git(ann, annProject, 'log', '--all', '--reflog', '--format=%B'), w.git(bob, bobProject, 'log', '--all', '--format=%B')].join('\n');
    prover.check(!/relay/i.test(messages), 'no message of a commit says anything of it');
  });

function stageOf(w: World): Stage {
  const { ann, annProject, session: laid } = w;
  const git = (...args: string[]): string => w.git(ann, annProject, '-c', 'core.editor=true', ...args);
  const put = (folder: string, files: Record<string, string>): void => {
    for (const [name, content] of Object.entries(files)) writeFileAt(join(folder, name), content);
  };
  const agent = { ...ann, env: { ...ann.env, [VARIABLES[laid.agent as keyof typeof VARIABLES]]: laid.id } };
  return {
    git,
    session(message, files) {
      put(annProject, files);
      git('add', '-A');
      w.git(agent, annProject, 'commit', '-q', '-m', message);
    },
    forge(branch, title, before) {
      git('push', '-q', 'origin', 'main', branch);
      const forge = w.person(`forge-${branch}`);
      const checkout = w.clone(forge, `forge/${branch}`, w.remote);
      put(checkout, before);
      for (const args of [
        ['add', '-A'],
        ['commit', '-q', '-m', 'Move the base'],
        ['merge', '-q', '--squash', `origin/${branch}`],
        ['commit', '-q', '-m', title],
      ])
        w.git(forge, checkout, ...args);
      w.git(forge, checkout, 'push', '-q', 'origin', 'main', `:${branch}`);
      git('checkout', '-q', 'main');
      git('branch', '-q', '-D', branch);
      git('pull', '-q', '--ff-only', '--prune', 'origin', 'main');
    },
    todo(script) {
      const path = join(w.root, 'todo.sh');
      writeFileSync(path, `#!/bin/sh\n{ ${script}; } > "$1.new" && mv "$1.new" "$1"\n`);
      chmodSync(path, 0o755);
      git('-c', `sequence.editor=${path}`, 'rebase', '-q', '-i', 'HEAD~4');
    },
  };
}

/** Works until nothing waits any more: what the hooks started may still be at it. */
async function drained({ ann, annProject }: World): Promise<void> {
  for (let tries = 0; waitingIn(annProject).length && tries < 100; tries++) {
    await runProgram(process.execPath, [RELAY, 'hook', '--work'], { cwd: annProject, env: ann.env });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (waitingIn(annProject).length) throw new Error('what the hooks wrote down is not recorded');
}
