import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cliDocs } from '../src/program.ts';

/** Writes docs/cli.md from the program itself; with --check it only says whether the file is current. */
const path = fileURLToPath(new URL('../docs/cli.md', import.meta.url));
const text = cliDocs();
if (!process.argv.includes('--check')) writeFileSync(path, text);
else if (readFileSync(path, 'utf8') !== text) {
  process.stderr.write('docs/cli.md is not current: npx tsx scripts/cli-docs.ts\n');
  process.exitCode = 1;
}
