import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { manPage } from '../../scripts/man-page.ts';
import { buildProgram, cliDocs } from '../../src/program.ts';
import { testIo } from '../support/io.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What stands, or is about to stand, in the repository. */
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && existsSync(join(root, file)));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const documents = files.filter((file) => file.endsWith('.md') && !file.startsWith('test/fixtures/'));
const withoutCode = (text: string) => text.replace(/```[\s\S]*?```/g, '').replace(/`[^`\n]*`/g, '');

/** GitHub's anchor of a heading. */
const anchor = (heading: string) =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

describe('documents', () => {
  it.each(documents)('%s: every link leads somewhere', (file) => {
    const dead = [...withoutCode(read(file)).matchAll(/\]\(([^)\s]+)\)/g)]
      .map((match) => match[1] as string)
      .filter((link) => !/^(https?|mailto):/.test(link))
      .filter((link) => {
        const [path = '', hash] = link.split('#');
        const target = path ? join(dirname(file), path) : file;
        if (!existsSync(join(root, target))) return true;
        return hash !== undefined && ![...read(target).matchAll(/^#+ (.*)$/gm)].some((m) => anchor(m[1] as string) === hash);
      });
    expect(dead).toEqual([]);
  });

  const verbs = buildProgram(testIo(), '0.0.0', () => {}).commands.map((command) => command.name());
  it('there are verbs to look for', () => expect(verbs).toContain('import'));
  it.each(verbs)('README, docs/cli.md and the manual page have `relay %s`', (verb) => {
    expect(read('man/git-relay.1')).toContain(`\n.B ${verb}\n`);
    expect(read('README.md')).toContain(`\`relay ${verb}`);
    expect(read('docs/cli.md')).toContain(`## relay ${verb}\n`);
  });
  it('docs/cli.md is what the program says (npx tsx scripts/cli-docs.ts writes it)', () => expect(read('docs/cli.md')).toBe(cliDocs()));
  it('the manual page is what the program says, with all options (the same script writes it)', () => {
    expect(read('man/git-relay.1')).toBe(manPage());
    for (const option of ['no\\-send', 'namespace <prefix>', 'match <\\->', 'exit\\-code']) expect(read('man/git-relay.1')).toContain(`\n.B \\-\\-${option}\n`);
  });
  it.skipIf(spawnSync('groff', ['--version']).error)('the manual page has no mistakes', () => {
    expect(spawnSync('groff', ['-man', '-Tutf8', '-ww', '-z', join(root, 'man/git-relay.1')], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' });
  });
  it.each(['README.md', 'man/git-relay.1'])('%s says where sessions are looked for', (file) => {
    for (const place of ['CLAUDE_CONFIG_DIR', '~/.claude', 'CODEX_HOME', '~/.codex', 'agents.codex.roots', 'claude-code.roots'])
      expect(read(file).replaceAll('\\-', '-')).toContain(place);
  });
  it.each(documents)('%s promises no sight of what was missed from a dry run', (file) => {
    expect(read(file)).not.toMatch(/(?:look at|read) `relay push --dry-run`/i);
  });
  it('commands that documents name exist', () => {
    const named = documents.flatMap((file) => [...read(file).matchAll(/`(?:git )?relay ([a-z]+)/g)].map((match) => match[1] as string));
    expect([...new Set(named)].filter((verb) => ![...verbs, 'help'].includes(verb))).toEqual([]);
  });
  it('messages that docs/troubleshooting.md explains are messages of the program', () => {
    const sources = files
      .filter((file) => /^(src|redact|adapters)\/.*\.ts$/.test(file))
      .map(read)
      .join('\n');
    const section = read('docs/troubleshooting.md').split('## Messages of relay')[1]?.split('\n## ')[0] ?? '';
    const fragments = [...section.matchAll(/^\| "([^"]*)"/gm)].flatMap((match) => (match[1] as string).split(/…|\bN\b/)).map((part) => part.trim());
    const long = fragments.filter((part) => part.length >= 8);
    expect(long.length).toBeGreaterThan(8);
    expect(long.filter((part) => !sources.includes(part))).toEqual([]);
  });
});

describe('docs/format.md', () => {
  const fields = new Set<string>();
  const collect = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties } = schema as { properties?: object };
    for (const name of Object.keys(properties ?? {})) fields.add(name);
    for (const part of Object.values(schema)) collect(part);
  };
  collect(JSON.parse(read('docs/session.schema.json')));
  it.each([...fields])('says what %s is', (name) => expect(read('docs/format.md')).toMatch(new RegExp(`[\`"]${name}\\b`)));
});

describe('the repository stands alone', () => {
  /** Where this checkout lies, unless that is so short that it could stand anywhere. */
  const machine = [root.replace(/\/$/, '')].filter((path) => path.length >= 10);
  const text = files.filter((file) => !/\.(png|jpg|gif|zst|sqlite)$/.test(file));
  it('no file holds a path of this machine', () => expect(text.filter((file) => machine.some((path) => read(file).includes(path)))).toEqual([]));
  it('sources import nothing from outside', () => {
    const outside = text
      .filter((file) => /\.(ts|mjs|js)$/.test(file))
      .filter((file) => [...read(file).matchAll(/from '(\.[^']*)'/g)].some((match) => join(dirname(file), match[1] as string).startsWith('..')));
    expect(outside).toEqual([]);
  });
});
