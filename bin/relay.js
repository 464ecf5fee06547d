#!/usr/bin/env node
// Checks the Node version before anything newer than it is parsed, then hands over to the bundle.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`relay needs Node.js 20.19 or newer; this is ${process.versions.node}.\n`);
  process.exit(2);
}
if (process.argv[2] === 'hook' && process.argv[3] === '--work') (await import('../dist/run-compiled.js')).runCompiled(process.env);
else await (await import('../dist/cli.js')).run();
