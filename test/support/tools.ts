import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * What tests of git's hooks run besides git itself: hook managers of npm, pre-commit of PyPI, and of Debian's newest packages a git that takes hooks from its
 * settings, git-lfs and another shell. In the cache of the real clients; `npx tsx scripts/clients.ts` fills it.
 */
const cache = process.env.RELAY_TEST_CLIENTS ?? join(homedir(), '.cache', 'relay-test-clients');
const folders = { 'hook managers': join(cache, 'hook-managers-1'), 'pre-commit': join(cache, 'pre-commit-4.7.0'), debian: join(cache, 'debian-1') };

export const managers = { husky: '9.1.7', lefthook: '2.2.2', 'simple-git-hooks': '2.14.0' } as const;

export type Tool = 'hook managers' | 'pre-commit' | 'newest git' | 'git-lfs' | 'busybox';
export const toolNames: readonly Tool[] = ['hook managers', 'pre-commit', 'newest git', 'git-lfs', 'busybox'];

/** The folder with the tool's programs; of `hook managers` the cache that npm installs them from without a network. undefined: not there. */
export function tool(name: Tool): string | undefined {
  const folder = {
    'hook managers': join(folders['hook managers'], 'npm'),
    'pre-commit': join(folders['pre-commit'], 'bin'),
    'newest git': join(folders.debian, 'git'),
    'git-lfs': join(folders.debian, 'lfs'),
    busybox: join(folders.debian, 'busybox'),
  }[name];
  return existsSync(folder) ? folder : undefined;
}

/** Fills a folder unless it is there. A half-filled one never takes the final name. */
async function filled(folder: string, fill: (work: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return;
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  try {
    await fill(work);
    renameSync(work, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

export async function installTools(): Promise<void> {
  await filled(folders['hook managers'], async (work) => {
    const project = join(work, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, devDependencies: managers }));
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `--cache=${join(work, 'npm')}`], { cwd: project });
    rmSync(project, { recursive: true });
  });
  await filled(folders['pre-commit'], async (work) => {
    await run('python3', ['-m', 'venv', work]);
    await run(join(work, 'bin', 'pip'), ['install', '--quiet', 'pre-commit==4.7.0']);
    // pip's own start script names the folder that it was made in, which is about to get another name.
    writeFileSync(join(work, 'bin', 'pre-commit'), '#!/bin/sh\nexec "${0%/*}/python3" -m pre_commit "$@"\n');
  });
  await filled(folders.debian, fromDebian);
}

const PACKAGES = ['git', 'git-lfs', 'libc6', 'libpcre2-8-0', 'zlib1g', 'busybox-static'];

/** Packages of Debian's newest suite, unpacked with the libraries that they need; nothing of the machine's own packages or sources is touched. */
async function fromDebian(work: string): Promise<void> {
  const state = join(work, 'apt');
  for (const name of ['lists/partial', 'archives/partial']) mkdirSync(join(state, name), { recursive: true });
  writeFileSync(join(state, 'status'), '');
  writeFileSync(join(state, 'sources'), 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian sid main\n');
  const settings = { 'Dir::State': state, 'Dir::State::status': join(state, 'status'), 'Dir::Cache': state, 'Dir::Etc::sourcelist': join(state, 'sources') };
  const options = [...Object.entries({ ...settings, 'Dir::Etc::sourceparts': '-', 'Acquire::Languages': 'none' })].flatMap(([key, value]) => [
    '-o',
    `${key}=${value}`,
  ]);
  await run('apt-get', [...options, 'update', '-qq'], { maxBuffer: 16 << 20 });
  await run('apt-get', [...options, 'download', '-qq', ...PACKAGES], { cwd: state, maxBuffer: 16 << 20 });
  for (const name of readdirSync(state).filter((one) => one.endsWith('.deb'))) await run('dpkg', ['-x', join(state, name), join(work, 'root')]);
  rmSync(state, { recursive: true });
  const lib = readdirSync(join(work, 'root/usr/lib')).find((name) => existsSync(join(work, 'root/usr/lib', name, 'libc.so.6'))) ?? '';
  const loader = readdirSync(join(work, 'root/usr/lib', lib)).find((name) => /^ld-linux.*\.so/.test(name)) ?? '';
  for (const name of ['git', 'git-receive-pack', 'git-upload-pack']) wrapper(join(work, 'git'), name, 'git', `lib/${lib}`, loader);
  wrapper(join(work, 'lfs'), 'git-lfs', 'git-lfs', `lib/${lib}`, loader);
  mkdirSync(join(work, 'busybox'));
  renameSync(join(work, 'root/usr/bin/busybox'), join(work, 'busybox', 'busybox'));
}

/** A program that runs with its own C library, which is newer than the machine's. */
function wrapper(folder: string, name: string, program: string, lib: string, loader: string): void {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const own = program === 'git' ? 'GIT_EXEC_PATH=$here ' : '';
  const usr = '$here/../root/usr';
  writeFileSync(
    path,
    `#!/bin/sh\nhere=\${0%/*}\n${own}exec "${usr}/${lib}/${loader}" --argv0 ${name} --library-path "${usr}/${lib}" "${usr}/bin/${program}" "$@"\n`,
  );
  chmodSync(path, 0o755);
}
