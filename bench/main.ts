import { measurements } from './measurements.ts';

/** npm run bench [-- <name> …]: times the hot paths beside a floor in the same run and prints the ratios. */
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in measurements));
if (unknown.length) {
  process.stdout.write(`No benchmark is called ${unknown.join(', ')}. There are: ${Object.keys(measurements).join(', ')}.\n`);
  process.exit(2);
}
process.stdout.write(`${'benchmark'.padEnd(34)}${'ms'.padStart(8)}${'floor ms'.padStart(10)}${'ratio'.padStart(8)}\n`);
for (const [name, measure] of Object.entries(measurements)) {
  if (wanted.length && !wanted.includes(name)) continue;
  for (const row of await measure()) {
    const ratio = (row.ms / row.floor).toFixed(2);
    process.stdout.write(`${`${name}: ${row.what}`.padEnd(34)}${row.ms.toFixed(0).padStart(8)}${row.floor.toFixed(0).padStart(10)}${ratio.padStart(8)}\n`);
  }
}
