import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';

/**
 * The rules of the house (docs/decisions/0001-house.md) bite: each of these files breaks one of them, and the linter says so.
 * All are linted in one run, each in the folder whose rules it shall meet.
 */
const root = fileURLToPath(new URL('../..', import.meta.url));
const house = mkdtempSync(join(tmpdir(), 'relay-house-'));
afterAll(() => rmSync(house, { recursive: true, force: true }));

const importing = (specifier: string) => `import type { A } from '${specifier}';\nexport type B = A;\n`;
const folders: Record<string, { may: string[]; mayNot: string[] }> = {
  'src/lib': { may: ['./json.ts'], mayNot: ['#session/record.ts', '#git/run.ts', '#config/load.ts', '../session/record.ts'] },
  'src/session': { may: ['#lib/json.ts'], mayNot: ['#git/run.ts', '#config/load.ts', '#store/types.ts', '#adapters/adapter.ts', '../store/types.ts'] },
  'src/git': { may: ['#lib/json.ts', 'isomorphic-git'], mayNot: ['#session/record.ts', '#store/types.ts', '#config/load.ts'] },
  'src/config': { may: ['#lib/json.ts'], mayNot: ['#session/record.ts', '#git/run.ts', '#store/types.ts', '#io/io.ts'] },
  'src/io': { may: ['#lib/json.ts'], mayNot: ['#session/record.ts', '#flows/push.ts', '#config/load.ts'] },
  'src/report': {
    may: ['#lib/json.ts', '#session/loss.ts', '#store/types.ts'],
    mayNot: ['#flows/push.ts', '#commands/push.ts', '#adapters/registry.ts', '#git/run.ts'],
  },
  'src/store': {
    may: ['#session/record.ts', '#git/run.ts'],
    mayNot: ['#redact/index.ts', '#context/fit.ts', '#adapters/adapter.ts', '#flows/push.ts', 'isomorphic-git'],
  },
  'src/context': { may: ['#session/record.ts'], mayNot: ['#store/types.ts', '#redact/index.ts', '#adapters/adapter.ts', '#flows/push.ts'] },
  'src/snapshot': { may: ['#git/run.ts'], mayNot: ['#store/types.ts', '#redact/index.ts', '#adapters/adapter.ts', '#flows/push.ts'] },
  'src/flows': {
    may: ['#adapters/registry.ts', '#store/types.ts', '#redact/index.ts', '#config/load.ts'],
    mayNot: ['#commands/push.ts', '#io/io.ts', '#io/ask.ts', '#report/table.ts'],
  },
  'src/commands': { may: ['#flows/push.ts', '#io/io.ts', '#report/table.ts'], mayNot: ['../program.ts', '../cli.ts'] },
  hooks: {
    may: ['#flows/push.ts', '#store/types.ts', '#git/run.ts', './queue.ts'],
    mayNot: ['#commands/push.ts', '#io/io.ts', '#report/table.ts', '../src/flows/push.ts', 'simple-git'],
  },
  redact: {
    may: ['#session/record.ts', '#git/run.ts'],
    mayNot: ['#store/types.ts', '#adapters/adapter.ts', '#flows/push.ts', '../src/store/types.ts', 'isomorphic-git'],
  },
  'adapters/one': {
    may: ['#session/record.ts', '#lib/json.ts', '../adapter.ts', './read.ts'],
    mayNot: [
      '#adapters/two/index.ts',
      '../two/index.ts',
      '../registry.ts',
      '#store/types.ts',
      '#git/run.ts',
      '#config/load.ts',
      '#redact/index.ts',
      '../../src/git/run.ts',
    ],
  },
};

/** Files that break (or keep) another rule: path, content, the rule that must speak up (none: no rule). */
const others: [string, string, string | null][] = [
  ['src/flows/prints.ts', "export const say = () => console.log('x');\n", 'noConsole'],
  ['scripts/prints.ts', "export const say = () => console.log('x');\n", null],
  ['src/flows/default.ts', 'export default 1;\n', 'noDefaultExport'],
  ['vitest.config.ts', 'export default {};\n', null],
  ['src/flows/reads-env.ts', 'export const home = () => process.env.HOME;\n', 'noProcessEnv'],
  ['src/flows/takes-io.ts', "import type { Io } from '#io/io.ts';\nexport type A = Io;\n", null],
  ['src/flows/CamelCase.ts', 'export const a = 1;\n', 'useFilenamingConvention'],
  ['src/flows/enumerates.ts', 'export enum A {\n  B,\n}\n', 'noEnum'],
  ['src/lib/circle-a.ts', "import { b } from './circle-b.ts';\nexport const a = () => b;\n", 'noImportCycles'],
  ['src/lib/circle-b.ts', "import { a } from './circle-a.ts';\nexport const b = () => a;\n", 'noImportCycles'],
];

const cases: [file: string, text: string, rule: string | null, title: string][] = [
  ...Object.entries(folders).flatMap(([folder, { may, mayNot }]) => [
    ...may.map((s, i): [string, string, null, string] => [`${folder}/may-${i}.ts`, importing(s), null, `${folder} may import ${s}`]),
    ...mayNot.map((s, i): [string, string, string, string] => [
      `${folder}/may-not-${i}.ts`,
      importing(s),
      'noRestrictedImports',
      `${folder} may not import ${s}`,
    ]),
  ]),
  ...others.map(([file, text, rule]): [string, string, string | null, string] => [file, text, rule, rule ? `${file} meets ${rule}` : `${file} is allowed`]),
];

function lint(): Map<string, string[]> {
  copyFileSync(join(root, 'biome.json'), join(house, 'biome.json'));
  for (const [file, text] of cases) {
    mkdirSync(dirname(join(house, file)), { recursive: true });
    writeFileSync(join(house, file), text);
  }
  const run = spawnSync(join(root, 'node_modules/.bin/biome'), ['lint', '--reporter=json', '--max-diagnostics=none', '.'], {
    cwd: house,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  const found = new Map<string, string[]>();
  for (const { category, location } of JSON.parse(run.stdout).diagnostics as { category: string; location: { path: string } }[]) {
    const rule = category.split('/').at(-1) ?? '';
    found.set(location.path, [...(found.get(location.path) ?? []), rule]);
  }
  return found;
}

const found = lint();
it.each(cases.map(([file, , rule, title]) => ({ file, rule, title })))('$title', ({ file, rule }) => {
  const rules = found.get(file) ?? [];
  if (rule) expect(rules).toContain(rule);
  else expect(rules.filter((r) => r !== 'useImportExtensions')).toEqual([]);
});
