import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
let tarball: string;

beforeAll(() => {
  mkdirSync(home);
  // The build has run already (test/support/built.ts); running `prepack` again here would pull dist from under other tests.
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', base], {
      cwd: project,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  files = packed.files.map((file: { path: string }) => file.path);
  tarball = join(base, packed.filename);
  // Offline: nothing may be missing from the tarball.
  execFileSync('npm', ['install', '--global', '--prefix', prefix, '--offline', '--no-audit', '--no-fund', tarball], {
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
        'dist/redact.js',
        'dist/redact.d.ts',
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
      files.filter((file) => /^(src|test|scripts|bench|adapters|redact|node_modules|\.ci)\/|(?<!\.d)\.ts$|biome|knip|vitest|tsconfig|package-lock/.test(file)),
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
  it('runs nothing when it is installed, not even from a folder', () => {
    const { scripts } = JSON.parse(readFileSync(join(prefix, 'lib/node_modules/session-relay/package.json'), 'utf8'));
    expect(Object.keys(scripts).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name))).toEqual([]);
  });
  it('says its version', () => {
    expect(run('git', ['relay', '--version']).trim()).toBe(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')).version);
  });
  it('runs a command', () => {
    expect(JSON.parse(run('relay', ['sessions', '--all', '--json']))).toEqual({ sessions: [] });
  });
});

describe('session-relay/redact in a program', () => {
  const program = join(base, 'program');
  beforeAll(() => {
    mkdirSync(program);
    writeFileSync(join(program, 'package.json'), '{"type":"module"}');
    execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], {
      cwd: program,
      env: { ...env, PATH: process.env.PATH },
      stdio: 'ignore',
    });
  });

  it('takes secrets out of text and of lines, and reports them', () => {
    writeFileSync(
      join(program, 'main.js'),
      `import { createRedactor } from 'session-relay/redact';
       const word = ['made', 'up', '4711'].join('-');
       const rule = { id: 'badge', anchors: ['bdg_'], pattern: 'bdg_[0-9]{8}', hits: ['bdg_12345678'] };
       const redactor = createRedactor({ key: Buffer.alloc(32, 1), known: [word, undefined], rules: [rule] });
       const text = redactor.text('one\\r\\ntwo ' + word + '\\n', 'notes.txt');
       const line = redactor.line(JSON.stringify({ id: 'call_abcdefgh', text: 'bdg_' + '12345678' }), 'a.jsonl:3');
       let refused = '';
       try { createRedactor({ rules: [{ ...rule, pattern: '(' }] }); } catch (error) { refused = error.code + ' ' + error.message; }
       console.log(JSON.stringify({ text, line, refused, report: redactor.report() }));`,
    );
    const { text, line, refused, report } = JSON.parse(execFileSync(process.execPath, ['main.js'], { cwd: program, env, encoding: 'utf8' }));
    expect(text).toMatch(/^one\r\ntwo \[REDACTED:known:[0-9a-f]{8}\]\n$/);
    expect(JSON.parse(line)).toEqual({ id: 'call_abcdefgh', text: expect.stringMatching(/^\[REDACTED:badge:[0-9a-f]{8}\]$/) });
    expect(refused).toMatch(/^usage The rule "badge" cannot be used: its pattern does not compile/);
    expect(report).toMatchObject({ total: 2, byKind: { known: 1, badge: 1 } });
    expect(report.findings.map((one: { record: string; path: string }) => [one.record, one.path])).toEqual([
      ['notes.txt:2', ''],
      ['a.jsonl:3', '/text'],
    ]);
  });

  it('has types that stand alone', () => {
    writeFileSync(
      join(program, 'typed.ts'),
      `import { createRedactor, type RedactionReport } from 'session-relay/redact';
       const report: RedactionReport = createRedactor({ known: ['x'] }).report();
       // @ts-expect-error: a text is a string
       createRedactor().text(report.total);\n`,
    );
    const tsc = join(project, 'node_modules/typescript/bin/tsc');
    const flags = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', '', 'typed.ts'];
    expect(spawnSync(process.execPath, [tsc, ...flags], { cwd: program, env, encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '' });
  });

  it('opens nothing else of the package', () => {
    writeFileSync(join(program, 'deep.js'), "await import('session-relay/dist/cli.js');\n");
    expect(spawnSync(process.execPath, ['deep.js'], { cwd: program, env, encoding: 'utf8' }).stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});
