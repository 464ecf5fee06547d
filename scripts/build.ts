import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile } from 'esbuild';

/**
 * Bundles src/cli.ts to dist/: cli.js is what every start loads, each command a chunk of its own that is loaded when it runs. redact.js beside it,
 * with its types, is what programs import (package.json, exports), and needs none of these. worker.cjs is what git's and agents' hooks start.
 * Everything is bundled, so the package has no dependencies; the licences of what went in stand in dist/THIRD-PARTY.txt.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** Names of the packages that have code in the bundles, e.g. @scope/name, in order. */
function bundledPackages(metafiles: readonly Metafile[]): string[] {
  const used = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap((out) => Object.entries(out.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0));
  const folders = used.map(([file]) => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[0]).filter((f) => f !== undefined);
  return [...new Set(folders)].sort();
}

/** Name, version, licence id and licence text of a package, as its author published them. */
function licence(folder: string): string {
  const at = join(root, folder);
  const meta = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as { name: string; version: string; license?: string };
  const file = readdirSync(at).find((name) => /^(licen[cs]e|copying)(\.|-|$)/i.test(name));
  const text = file ? readFileSync(join(at, file), 'utf8').trim() : `(the package holds no licence file; it declares ${meta.license ?? 'none'})`;
  return `${meta.name} ${meta.version} (${meta.license ?? 'see below'})\n\n${text}\n`;
}

/** The types of a module as it exports them. They must stand alone, since no other source is in the package. Errors of types are for `npm run check` to find. */
function types(source: string): string {
  const out = mkdtempSync(join(tmpdir(), 'relay-types-'));
  try {
    const flags =
      '--declaration --emitDeclarationOnly --skipLibCheck --strict --target es2022 --lib es2023 --types node --module nodenext --allowImportingTsExtensions';
    const tsc = [join(root, 'node_modules/typescript/bin/tsc'), join(root, source), '--ignoreConfig', '--rootDir', root, '--outDir', out, ...flags.split(' ')];
    spawnSync(process.execPath, tsc, { stdio: 'ignore' });
    const text = readFileSync(join(out, source.replace(/\.ts$/, '.d.ts')), 'utf8');
    if (/^(?:import|export)\b.*\bfrom\b|\bimport\(/m.test(text)) throw new Error(`the types of ${source} need another module`);
    return text;
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

const work = `${dist}.${process.pid}`;
const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  // jsonc-parser's main entry is UMD, which fails at run time inside a bundle.
  mainFields: ['module', 'main'],
  // Packages written as CommonJS call require() for Node's own modules.
  banner: { js: "import { createRequire as relayCreateRequire } from 'node:module';\nconst require = relayCreateRequire(import.meta.url);" },
  define: { RELAY_VERSION: JSON.stringify(version) },
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
} satisfies BuildOptions;
const program = build({ ...common, entryPoints: ['src/cli.ts'], outdir: work, chunkNames: 'chunks/[name]-[hash]', splitting: true });
const library = build({ ...common, entryPoints: ['redact/library.ts'], outfile: join(work, 'redact.js') });
// What is kept compiled has to be a script; modules cannot be.
const url = "require('node:url').pathToFileURL(__filename).href";
const worker = build({
  ...common,
  entryPoints: ['src/worker.ts'],
  outfile: join(work, 'worker.cjs'),
  format: 'cjs',
  minify: true,
  banner: { js: `const relayUrl = ${url};` },
  define: { ...common.define, 'import.meta.url': 'relayUrl' },
});
const runner = build({ ...common, entryPoints: ['src/run-compiled.ts'], outfile: join(work, 'run-compiled.js') });
const made = await Promise.all([program, library, worker, runner]).catch(() => process.exit(1)); // esbuild has said what is wrong
writeFileSync(join(work, 'redact.d.ts'), types('redact/library.ts'));
const rule = `\n${'-'.repeat(80)}\n\n`;
writeFileSync(
  join(work, 'THIRD-PARTY.txt'),
  `relay is bundled with code of the following packages.\n${rule}${bundledPackages(made.map(({ metafile }) => metafile))
    .map(licence)
    .join(rule)}`,
);
// Swapped at the end, so that a build that fails leaves the last good one, and a relay that runs meanwhile finds its chunks.
rmSync(dist, { recursive: true, force: true });
renameSync(work, dist);
