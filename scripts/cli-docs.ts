import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cliDocs } from '../src/program.ts';
import { manPage } from './man-page.ts';

/** Writes docs/cli.md and the manual page from the program itself; with --check it only says whether they are current. */
for (const [file, text] of [
  ['docs/cli.md', cliDocs()],
  ['man/git-relay.1', manPage()],
] as const) {
  const path = fileURLToPath(new URL(`../${file}`, import.meta.url));
  if (!process.argv.includes('--check')) writeFileSync(path, text);
  else if (readFileSync(path, 'utf8') !== text) {
    process.stderr.write(`${file} is not current: npx tsx scripts/cli-docs.ts\n`);
    process.exitCode = 1;
  }
}
