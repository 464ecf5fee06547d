import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runProgram } from '../support/processes.ts';

/** What differs from run to run: ids, hashes of clones, times and sizes of what git packed. */
const steady = (text: string): string =>
  text
    .replace(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'ID')
    .replace(/\bann-[0-9a-f]{6}\b/g, 'ann-WRITER')
    .replace(/\d{4}\/\d\d\/\d\d\/rollout-[\dT-]+-ID/g, 'ROLLOUT')
    .replace(/\d+(\.\d+)? kB/g, 'SIZE')
    .replace(/about \d+ tokens/g, 'TOKENS');

it('the capture in the README is what the demo says', async () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', NO_COLOR: '1', CI: '1' };
  const demo = await runProgram(process.execPath, ['--import', 'tsx', 'scripts/demo.ts'], { cwd: root, env, timeout: 120_000 });
  expect(demo.code).toBe(0);
  const said = steady(demo.stdout).split('\n');
  const capture = steady(/```text\n([\s\S]*?)```/.exec(readFileSync(`${root}/README.md`, 'utf8'))?.[1] ?? '').split('\n');
  expect(capture.length).toBeGreaterThan(15);
  expect(capture.filter((line) => !said.includes(line))).toEqual([]);
});
