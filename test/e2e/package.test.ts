import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** What a stranger gets: the packed tarball, installed into an empty prefix, on a PATH that knows nothing of this checkout. */
const project = fileURLToPath(new URL('../..', import.meta.url));
const base = mkdtempSync(join(tmpdir(), 'relay-package-'));
const prefix = join(base, 'prefix');
const home = join(base, 'home');
const env = { PATH: [join(prefix, 'bin'), process.env.PATH].join(delimiter), HOME: home, NO_COLOR: '1', GIT_CONFIG_NOSYSTEM: '1' };
let files: string[];

beforeAll(() => {
  mkdirSync(home);
  // The build has run already (test/support/built.ts); running `prepare` again here would pull dist from under other tests.
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', base], {
      cwd: project,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  files = packed.files.map((file: { path: string }) => file.path);
  // Offline: nothing may be missing from the tarball.
  execFileSync('npm', ['install', '--global', '--prefix', prefix, '--offline', '--no-audit', '--no-fund', join(base, packed.filename)], {
    cwd: base,
    env: { ...env, PATH: process.env.PATH },
    stdio: 'ignore',
  });
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const run = (command: string, args: string[]) => execFileSync(command, args, { cwd: base, env, encoding: 'utf8' });

describe('the packed package', () => {
  it('holds programs, bundle, licences, example settings and documents', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        'bin/relay.js',
        'dist/cli.js',
        'dist/THIRD-PARTY.txt',
        'LICENSE',
        'README.md',
        'CHANGELOG.md',
        '.relayrc.example',
        'docs/format.md',
        'docs/relayrc.schema.json',
      ]),
    );
  });
  it('holds no sources, tests or development files', () => {
    expect(
      files.filter((file) => /^(src|test|scripts|bench|adapters|redact|node_modules|\.ci)\/|\.ts$|biome|knip|vitest|tsconfig|package-lock/.test(file)),
    ).toEqual([]);
  });
  it('has a licence text for each bundled package', () => {
    const licences = readFileSync(join(project, 'dist/THIRD-PARTY.txt'), 'utf8');
    for (const name of ['commander', 'zod', '@secretlint/secretlint-rule-preset-recommend', 'jsonc-parser', 'picocolors'])
      expect(licences).toContain(`\n${name} `);
    expect(licences).not.toContain('declares none');
  });
});

describe('installed without anything else', () => {
  it('needs no other package', () => {
    expect(existsSync(join(prefix, 'lib/node_modules/session-relay/dist/cli.js'))).toBe(true);
    expect(existsSync(join(prefix, 'lib/node_modules/session-relay/node_modules'))).toBe(false);
  });
  it.each([
    ['relay', ['--help']],
    ['git-relay', ['--help']],
    ['session-relay', ['--help']],
    ['git', ['relay', '-h']],
  ])('%s %j shows the commands', (command, args) => {
    const help = run(command, args);
    for (const verb of ['push', 'pull', 'import', 'sessions']) expect(help).toMatch(new RegExp(`^  ${verb}\\b`, 'm'));
  });
  it.skipIf(spawnSync('man', ['--version']).error)('git relay --help shows the manual page', () => {
    expect(run('git', ['relay', '--help'])).toContain('hand coding sessions over');
  });
  it('says its version', () => {
    expect(run('git', ['relay', '--version']).trim()).toBe(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).version);
  });
  it('runs a command', () => {
    expect(JSON.parse(run('relay', ['sessions', '--all', '--json']))).toEqual({ sessions: [] });
  });
});
