import { measurements } from './measurements.ts';
import { HEAD, holds, printed } from './row.ts';

/**
 * npm run bench [-- <name> …]: times the hot paths beside a floor in the same run and prints the ratios.
 * Exit code 1 where a figure misses its bound.
 */
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in measurements));
const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
if (unknown.length) {
  say(`No benchmark is called ${unknown.join(', ')}. There are: ${Object.keys(measurements).join(', ')}.`);
  process.exit(2);
}
say(HEAD);
for (const [name, measure] of Object.entries(measurements)) {
  if (wanted.length && !wanted.includes(name)) continue;
  for (const row of await measure((remark) => say(`${name}: ${remark}`))) {
    say(printed(name, row));
    if (!holds(row)) process.exitCode = 1;
  }
}
