import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { type Client, client, clientNames, clientPlace } from '../test/support/clients.ts';

/**
 * Installs the real clients that the tests in test/real run, each into its own folder of the cache.
 * A half-done install never takes the final name.
 */
function install(name: Client): void {
  const { spec, folder, bin } = clientPlace(name);
  const work = `${folder}.${process.pid}`;
  mkdirSync(work, { recursive: true });
  writeFileSync(`${work}/package.json`, '{"private":true}\n');
  // The clients' own install scripts only link the platform's binary, which is checked right after.
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', spec], { cwd: work, stdio: 'inherit' });
  rmSync(folder, { recursive: true, force: true });
  renameSync(work, folder);
  if (!existsSync(bin)) throw new Error(`${spec} was installed, but ${bin} is not there`);
  execFileSync(bin, ['--version'], { stdio: 'inherit', env: { PATH: process.env.PATH, HOME: folder } });
}

const wanted = process.argv.slice(2);
for (const name of clientNames.filter((n) => !wanted.length || wanted.includes(n))) {
  if (client(name)) console.log(`${name} is in ${clientPlace(name).folder}`);
  else install(name);
}
