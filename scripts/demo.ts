import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';

/**
 * The main job from end to end, in temporary folders: Ann's Claude Code session goes over a bare Git remote to Bob, who goes on
 * with it in Codex. Nothing outside the temporary folder is read or written, and nothing is sent anywhere.
 */
const here = fileURLToPath(new URL('..', import.meta.url));
const relayProgram = join(here, 'bin/relay.js');
const root = realpathSync(mkdtempSync(join(tmpdir(), 'relay-demo-')));
const remote = join(root, 'remote.git');
const SESSION = '00000002-aaaa-4bbb-8ccc-dddddddddddd';
const RECORDED_CWD = '/home/dev/work/proj';
const out = (text = ''): void => {
  process.stdout.write(`${text}\n`);
};
const bold = (text: string): string => (process.stdout.isTTY && !process.env.NO_COLOR ? `\u001b[1m${text}\u001b[22m` : text);

interface Person {
  name: string;
  home: string;
  checkout: string;
}

function person(name: string): Person {
  const home = join(root, 'home', name);
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, '.gitconfig'), `[user]\n\tname = ${name}\n\temail = ${name.toLowerCase()}@example.invalid\n[init]\n\tdefaultBranch = main\n`);
  return { name, home, checkout: join(root, name.toLowerCase() === 'ann' ? 'ann/proj' : 'bob/work/proj') };
}

const envOf = (who: Person): Record<string, string> => ({
  HOME: who.home,
  PATH: process.env.PATH ?? '',
  LANG: 'C.UTF-8',
  GIT_CONFIG_NOSYSTEM: '1',
  ...(process.env.NO_COLOR ? { NO_COLOR: '1' } : {}),
});

const git = (who: Person, cwd: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd, env: envOf(who), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], maxBuffer: 1 << 26 });

function relay(who: Person, ...args: string[]): void {
  out(`\n${bold(`${who.name} $ relay ${args.join(' ')}`)}`);
  const ended = spawnSync(process.execPath, [relayProgram, ...args], {
    cwd: who.checkout,
    env: envOf(who),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 26,
  });
  out((ended.stdout + ended.stderr).trimEnd().replaceAll(root, '<demo>'));
  if (ended.status !== 0) throw new Error(`relay ${args.join(' ')} ended with ${ended.status}`);
}

/** A token of the shape GitHub gives out, made up on the spot. */
const madeUpToken = (): string =>
  `ghp_${randomBytes(27)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, 'x')
    .slice(0, 36)}`;

function step(title: string): void {
  out(`\n${bold(`── ${title}`)}`);
}

/** Ann's project with its remote, and her session where Claude Code keeps it. A secret has found its way into a tool's output. */
function setUpAnn(ann: Person, secret: string): void {
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote]);
  mkdirSync(join(ann.checkout, 'src'), { recursive: true });
  git(ann, ann.checkout, 'init', '-q');
  writeFileSync(join(ann.checkout, 'src/sum.js'), 'export function sum(a, b) {\n  return a + b\n}\n');
  writeFileSync(join(ann.checkout, 'README.md'), '# demo\n');
  git(ann, ann.checkout, 'add', '-A');
  git(ann, ann.checkout, 'commit', '-q', '-m', 'Fix sum');
  git(ann, ann.checkout, 'remote', 'add', 'origin', remote);
  git(ann, ann.checkout, 'push', '-q', '-u', 'origin', 'main');
  const text = readFileSync(join(here, 'demo/session.jsonl'), 'utf8')
    .replaceAll(RECORDED_CWD, ann.checkout)
    .replaceAll('README.md\\nsrc', `README.md\\nsrc\\nGITHUB_TOKEN=${secret}`);
  const file = join(ann.home, '.claude/projects', ann.checkout.replace(/[^a-zA-Z0-9]/g, '-'), `${SESSION}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
}

/** Counts the objects of the remote, and those that hold the secret. */
function searchRemote(ann: Person, secret: string): void {
  const ids = git(ann, remote, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)').trim().split('\n');
  const content = execFileSync('git', ['cat-file', '--batch'], { cwd: remote, env: envOf(ann), input: ids.join('\n'), maxBuffer: 1 << 28 });
  if (content.includes(secret)) throw new Error('The secret is on the remote.');
  out(`\nOf the ${ids.length} Git objects on the remote, 0 hold the token that stood in Ann's session.`);
}

function onPath(program: string): boolean {
  return !spawnSync(program, ['--version'], { stdio: 'ignore' }).error;
}

async function offerToResume(): Promise<void> {
  const installed = ['codex', 'claude'].filter(onPath);
  out(`\n${bold('With a session of your own')}, in your project's folder:`);
  out('  relay sessions                         what your agents hold for this project');
  out('  relay import latest --to codex         switch agents on this machine; needs no Git');
  out('  relay push latest                      share it; the last line is what your teammate types');
  out('(npm pack && npm install -g ./session-relay-*.tgz makes the relay command; until then: node bin/relay.js)');
  if (!installed.length) return;
  out(`\nYou have ${installed.join(' and ')}. This resumes the sample session for real:`);
  const command = ['import', join(here, 'demo/session.jsonl'), '--to', installed[0] === 'codex' ? 'codex' : 'claude-code', '--cwd', '.', '--launch'];
  out(`  relay ${command.join(' ')}`);
  if (!process.stdin.isTTY || !process.stdout.isTTY || process.env.CI) return;
  const ask = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await ask.question(`Start ${installed[0]} with it now? It adds one session to your own list. [y/N] `);
  ask.close();
  if (/^y(es)?$/i.test(answer.trim())) spawnSync(process.execPath, [relayProgram, ...command], { stdio: 'inherit' });
}

try {
  const [ann, bob] = [person('Ann'), person('Bob')];
  const secret = madeUpToken();
  setUpAnn(ann, secret);
  step('Ann has worked with Claude Code. A token stands in one of the outputs. She hands over.');
  relay(ann, 'sessions');
  relay(ann, 'push', 'latest');
  searchRemote(ann, secret);

  step('Bob has another checkout, where one file has changed since. He goes on in Codex.');
  git(bob, root, 'clone', '-q', remote, bob.checkout);
  writeFileSync(join(bob.checkout, 'src/sum.js'), 'export const sum = (...n) => n.reduce((a, b) => a + b, 0)\n');
  relay(bob, 'pull');
  relay(bob, 'check', 'latest');
  relay(bob, 'import', 'latest', '--pulled', '--to', 'codex');
  await offerToResume();
} finally {
  rmSync(root, { recursive: true, force: true });
}
