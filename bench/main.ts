import { existsSync } from 'node:fs';
import { measurements } from './measurements.ts';
import { HEAD, holds, printed } from './row.ts';

/**
 * npm run bench [-- <name> … [<file> …]]: times the hot paths beside a floor in the same run and prints the ratios.
 * Files: transcripts that `redact` takes in the place of its own. Exit code 1 where a figure misses its bound.
 */
const named = process.argv.slice(2);
const wanted = named.filter((name) => name in measurements);
const files = named.filter((name) => !(name in measurements) && existsSync(name));
const unknown = named.filter((name) => !wanted.includes(name) && !files.includes(name));
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
if (unknown.length) {
  say(`No benchmark and no file is called ${unknown.join(', ')}. There are: ${Object.keys(measurements).join(', ')}.`);
  process.exit(2);
}
say(HEAD);
for (const [name, measure] of Object.entries(measurements)) {
  if (wanted.length && !wanted.includes(name)) continue;
  for (const row of await measure((remark) => say(`${name}: ${remark}`), files)) {
    say(printed(name, row));
    if (!holds(row)) process.exitCode = 1;
  }
}
