import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';

/**
 * Bundles src/cli.ts to dist/: cli.js is what every start loads, each command a chunk of its own that is loaded when it runs.
 * Everything is bundled, so the package has no dependencies; the licences of what went in stand in dist/THIRD-PARTY.txt.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const dist = join(root, 'dist');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** Names of the packages that have code in the bundle, e.g. @scope/name, in order. */
function bundledPackages(metafile: Metafile): string[] {
  const used = Object.values(metafile.outputs).flatMap((out) => Object.entries(out.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0));
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

const work = `${dist}.${process.pid}`;
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/cli.ts'],
  outdir: work,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
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
}).catch(() => process.exit(1)); // esbuild has said what is wrong
const rule = `\n${'-'.repeat(80)}\n\n`;
writeFileSync(
  join(work, 'THIRD-PARTY.txt'),
  `relay is bundled with code of the following packages.\n${rule}${bundledPackages(metafile).map(licence).join(rule)}`,
);
// Swapped at the end, so that a build that fails leaves the last good one, and a relay that runs meanwhile finds its chunks.
rmSync(dist, { recursive: true, force: true });
renameSync(work, dist);
