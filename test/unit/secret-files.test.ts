import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inProject, secretFiles } from '#flows/secret-files.ts';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'relay-secret-files-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const put = (path: string, text = path) => {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
};
const found = async (env: Record<string, string> = {}, named: string[] = []) =>
  (await secretFiles({ env, home: join(base, 'home'), root: join(base, 'proj'), named })).map((file) => file.text).sort();

it('of a project are found in every folder but foreign and hidden ones', async () => {
  const here = [
    'proj/.env',
    'proj/.env.local',
    'proj/packages/api/deploy/.env.production',
    'proj/a/b/c/d/e/f/prod.env',
    'proj/x/.npmrc',
    'proj/infra/x.tfvars',
    'proj/secrets.yml',
  ];
  const notHere = ['proj/node_modules/x/.env', 'proj/.git/.env', 'proj/.venv/.env', 'proj/vendor/x/.env', 'proj/environment.ts', 'proj/secrets.md'];
  for (const path of [...here, ...notHere]) put(path);
  expect(await found()).toEqual([...here].sort());
});

it('of a home are those of clients, also where a variable moves them', async () => {
  const paths = [
    'home/.npmrc',
    'home/.aws/credentials',
    'home/.docker/config.json',
    'home/.config/gh/hosts.yml',
    'home/.codex/auth.json',
    'home/.claude/.credentials.json',
  ];
  for (const path of [...paths, 'home/.bashrc', 'home/notes.txt', 'else/config.json', 'else/kube', 'xdg/hub']) put(path);
  expect(await found()).toEqual([...paths].sort());
  const moved = await found({ DOCKER_CONFIG: join(base, 'else'), KUBECONFIG: join(base, 'else/kube'), XDG_CONFIG_HOME: join(base, 'xdg') });
  expect(moved).toEqual(expect.arrayContaining(['else/config.json', 'else/kube', 'xdg/hub']));
  expect(moved).not.toContain('home/.config/gh/hosts.yml');
});

it('that the settings name count as a whole', async () => {
  put('proj/conf/x.properties');
  const files = await secretFiles({ env: {}, home: base, root: undefined, named: [join(base, 'proj/conf/x.properties')] });
  expect(files).toEqual([{ name: 'x.properties', text: 'proj/conf/x.properties', all: true }]);
});

it('nothing that is no file is waited for, followed in a circle, or too large', async () => {
  put('proj/a/.env', 'A=1');
  execFileSync('mkfifo', [join(base, 'proj/.env.pipe')]);
  symlinkSync(base, join(base, 'proj/a/up'));
  symlinkSync('/dev/zero', join(base, 'proj/.env.zero'));
  mkdirSync(join(base, 'proj/.env.folder'));
  put('proj/.env.large', 'x'.repeat(1024 * 1024 + 1));
  expect(await found()).toEqual(['A=1']);
});

it('a project of very many folders is looked at from the top, and not to its end', () => {
  for (let i = 0; i < 5; i++) for (let j = 0; j < 5; j++) mkdirSync(join(base, `proj/f${i}/g${j}`), { recursive: true });
  put('proj/f4/.env');
  put('proj/f4/g4/.env');
  const root = join(base, 'proj');
  expect(inProject(root, 30)).toEqual([join(root, 'f4/.env')]);
  expect(inProject(root, 31)).toEqual([join(root, 'f4/.env'), join(root, 'f4/g4/.env')]);
});
