import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ended, runProgram } from './processes.ts';
import { remove } from './remove.ts';

export const RELAY = fileURLToPath(new URL('../../bin/relay.js', import.meta.url));

/** A person: a HOME of their own, with a name for git. Nothing of the machine's own user is visible. */
export interface Person {
  name: string;
  home: string;
  env: Record<string, string>;
}

/** A throw-away world: people with homes, bare remotes, checkouts. Everything lies under `root`. */
export interface Lab {
  root: string;
  person(name: string): Person;
  /** a bare repository; `format`: sha1 or sha256 */
  bare(name: string, format?: string): string;
  /** a checkout of a person's, with one commit of `files` pushed to `remote` when it is the first */
  project(person: Person, path: string, remote: string, files?: Record<string, string>): string;
  clone(person: Person, path: string, remote: string): string;
  git(person: Person, cwd: string, ...args: string[]): string;
  relay(person: Person, cwd: string, ...args: string[]): Promise<Ended>;
  /** relay with --json, which must succeed; answers the document */
  json<T>(person: Person, cwd: string, ...args: string[]): Promise<T>;
  done(): void;
}

const PATH = `${dirname(process.execPath)}:${process.env.PATH ?? '/usr/bin:/bin'}`;

export function lab(prefix = 'relay-lab-'): Lab {
  const root = realpathSync(mkdtempSync(join(tmpdir(), prefix)));
  const git = (person: Person, cwd: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd, env: person.env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 1 << 28 }).trim();
  const relay = (person: Person, cwd: string, ...args: string[]): Promise<Ended> =>
    runProgram(process.execPath, [RELAY, ...args], { cwd, env: person.env, timeout: 300_000 });
  const made: Lab = {
    root,
    person(name) {
      const home = join(root, 'home', name);
      mkdirSync(home, { recursive: true });
      writeFileSync(
        join(home, '.gitconfig'),
        `[user]\n\tname = ${name}\n\temail = ${name}@example.invalid\n[init]\n\tdefaultBranch = main\n[protocol "file"]\n\tallow = always\n`,
      );
      return { name, home, env: { HOME: home, PATH, LANG: 'C.UTF-8', TZ: 'UTC', GIT_CONFIG_NOSYSTEM: '1', GIT_TERMINAL_PROMPT: '0' } };
    },
    bare(name, format = 'sha1') {
      const path = join(root, 'remotes', `${name}.git`);
      execFileSync('git', ['init', '-q', '--bare', '-b', 'main', `--object-format=${format}`, path], { env: { PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' } });
      return path;
    },
    project(person, path, remote, files = { 'README.md': '# demo\n' }) {
      const checkout = join(root, path);
      mkdirSync(dirname(checkout), { recursive: true });
      const format = execFileSync('git', ['rev-parse', '--show-object-format'], { cwd: remote, encoding: 'utf8' }).trim();
      git(person, root, 'init', '-q', '-b', 'main', `--object-format=${format}`, checkout);
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(checkout, name)), { recursive: true });
        writeFileSync(join(checkout, name), text);
      }
      git(person, checkout, 'add', '-A');
      git(person, checkout, 'commit', '-q', '--allow-empty', '-m', 'Begin');
      git(person, checkout, 'remote', 'add', 'origin', remote);
      git(person, checkout, 'push', '-q', '-u', 'origin', 'main');
      return checkout;
    },
    clone(person, path, remote) {
      const checkout = join(root, path);
      mkdirSync(dirname(checkout), { recursive: true });
      git(person, root, 'clone', '-q', remote, checkout);
      return checkout;
    },
    git,
    relay,
    async json(person, cwd, ...args) {
      const ended = await relay(person, cwd, ...args, '--json');
      if (ended.code !== 0) throw new Error(`relay ${args.join(' ')} ended with ${ended.code}:\n${ended.stderr}\n${ended.stdout}`);
      return JSON.parse(ended.stdout);
    },
    done: () => remove(root),
  };
  return made;
}
