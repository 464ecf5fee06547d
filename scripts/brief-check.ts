import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { scoreBrief } from '../test/support/brief-score.ts';

/** `npm run brief:check -- <folder> ...`: scores the brief of each labelled session in the folders (see test/briefs/README.md). Exit 1 where anything fails. */
const isLabelled = (folder: string): boolean => existsSync(join(folder, 'expected.json'));
const given = process.argv.slice(2).map((path) => resolve(path));
const folders = given
  .flatMap((path) => (isLabelled(path) ? [path] : existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : []))
  .filter(isLabelled);
if (!folders.length) {
  process.stderr.write('Name a folder of labelled sessions, each with session.jsonl and expected.json: npm run brief:check -- test/briefs\n');
  process.exit(2);
}
let [facts, found, failed] = [0, 0, 0];
for (const folder of folders) {
  const score = await scoreBrief(folder);
  facts += score.facts;
  found += score.found;
  failed += score.faults.length;
  const faults = score.faults.map((fault) => `       ${fault.replaceAll('\n', ' ')}\n`).join('');
  process.stdout.write(`${score.faults.length ? 'FAIL' : 'ok  '} ${basename(folder)}: ${score.found} of ${score.facts} facts\n${faults}`);
}
process.stdout.write(`${folders.length} sessions: ${found} of ${facts} facts (${((100 * found) / Math.max(1, facts)).toFixed(1)} %), ${failed} faults\n`);
process.exitCode = failed ? 1 : 0;
