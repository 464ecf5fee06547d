// Turns vitest's JSON report into the last line of .ci/run: "N passed, N failed". Skipped tests, test files that did not
// load and failed steps (second argument) count as failed.
import { readFileSync } from 'node:fs';

const [file, steps] = process.argv.slice(2);
let passed = 0;
let failed = 0;
try {
  for (const { status, assertionResults } of JSON.parse(readFileSync(file, 'utf8')).testResults) {
    for (const test of assertionResults) {
      if (test.status === 'passed') passed++;
      else {
        failed++;
        console.log(`${test.status}: ${test.fullName}`);
      }
    }
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) failed++;
  }
} catch {
  console.log('The tests left no report.');
}
// A failing test already makes its step fail; a step that failed without one counts by itself.
if (failed === 0 || passed === 0) failed += Math.max(Number(steps), passed === 0 ? 1 : 0);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed || Number(steps) ? 1 : 0;
