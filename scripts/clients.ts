import { execFileSync } from 'node:child_process';
import { type Client, clientNames, clientPlace, installClient } from '../test/support/clients.ts';
import { installTools, tool, toolNames } from '../test/support/tools.ts';

/** Installs the real clients that the tests in test/real run, each into its own folder of the cache, and starts each once; and what tests of hooks run. */
const wanted = process.argv.slice(2) as Client[];
for (const name of wanted.length ? wanted : clientNames) {
  const program = await installClient(name);
  const version = execFileSync(program, ['--version'], { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: clientPlace(name).folder } }).trim();
  process.stdout.write(`${name}: ${version} in ${clientPlace(name).folder}\n`);
}
if (!wanted.length) {
  // Other tests can do without: those that need it say so.
  await installTools().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
  process.stdout.write(toolNames.map((name) => `${name}: ${tool(name) ?? 'not installed'}\n`).join(''));
}
