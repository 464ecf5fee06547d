import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inWorld, nameOf, type Prove, type PushJson, type World, writeFileAt } from '../world.ts';

/** Everything in a checkout that push, pull and import must leave as it was: all of .git but relay's own folder, and git status. */
function stateOf(w: World, person: World['ann'], checkout: string): string {
  const hash = createHash('sha256');
  const visit = (folder: string, skip: string[]): void => {
    for (const name of readdirSync(folder).sort()) {
      if (skip.includes(name)) continue;
      const path = join(folder, name);
      if (statSync(path).isDirectory()) visit(path, []);
      else hash.update(`${path}\0`).update(readFileSync(path));
    }
  };
  visit(checkout, ['.git']);
  visit(join(checkout, '.git'), ['relay', 'index']);
  const git = (...args: string[]) => w.git(person, checkout, '--no-optional-locks', ...args);
  return [
    hash.digest('hex'),
    git('status', '--porcelain=v2', '--branch'),
    git('for-each-ref'),
    git('ls-files', '-s'),
    git('config', '--list', '--local'),
    git('count-objects', '-v'),
  ].join('\n');
}

/** The user's repository stays as it was, and a .relayrc cannot redirect anything until this clone accepted it. */
export const prove: Prove = (input, prover) =>
  inWorld(input, prover, async (w) => {
    writeFileAt(join(w.annProject, 'untracked.txt'), 'untracked\n');
    writeFileAt(join(w.annProject, 'README.md'), '# changed\n');
    const [ann, bob] = [stateOf(w, w.ann, w.annProject), stateOf(w, w.bob, w.bobProject)];
    const source = readFileSync(w.session.path);
    const pushed = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
    prover.check(stateOf(w, w.ann, w.annProject) === ann, 'push leaves status, refs, config, index, hooks and objects as they were');
    prover.check(readFileSync(w.session.path).equals(source), 'push leaves the session as it was');
    await w.json(w.bob, w.bobProject, 'pull');
    prover.check(stateOf(w, w.bob, w.bobProject) === bob, 'pull leaves the repository as it was');
    await w.json(w.bob, w.bobProject, 'import', pushed.handoffs[0]?.handoff ?? '', '--to', prover.to);
    prover.check(stateOf(w, w.bob, w.bobProject) === bob, 'import leaves the repository as it was');
    await relayrc(w, prover, pushed);
  });

async function relayrc(w: World, prover: Parameters<Prove>[1], pushed: PushJson): Promise<void> {
  const elsewhere = w.bare('elsewhere');
  const into = ['import', pushed.handoffs[0]?.handoff ?? '', '--to', prover.to, '--dry-run'];
  for (const [key, text, stopped] of [
    ['store.remote', JSON.stringify({ store: { remote: elsewhere } }), [['push', 'latest'], ['pull']]],
    ['push.auto', JSON.stringify({ push: { auto: true } }), [['watch', '--once']]],
    ['agents.codex.command', JSON.stringify({ agents: { codex: { command: '/bin/echo' } } }), [into]],
  ] as const) {
    writeFileSync(join(w.bobProject, '.relayrc'), text);
    for (const args of stopped) {
      const refused = await w.relay(w.bob, w.bobProject, ...args, '--json');
      prover.check(
        refused.code === 3 && refused.stderr.includes(key),
        `.relayrc with ${key}: relay ${args[0]} ends with 3, naming it`,
        `${refused.code} ${refused.stderr}`,
      );
    }
    const accepted = await w.relay(w.bob, w.bobProject, 'init', '--accept', key);
    const after = await w.relay(w.bob, w.bobProject, 'pull', '--json');
    prover.check(accepted.code === 0 && after.code === 0, `after relay init --accept ${key} relay pull works`, accepted.stderr + after.stderr);
  }
  const refs = execFileSync('git', ['for-each-ref'], { cwd: elsewhere, encoding: 'utf8' });
  prover.check(refs === '', 'nothing was sent to the other remote', refs);
}
