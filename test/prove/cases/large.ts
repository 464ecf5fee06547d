import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { growLarge } from '../../support/grow.ts';
import { RELAY } from '../../support/lab.ts';
import { runProgram } from '../../support/processes.ts';
import { type Installed, installed, requestItems } from '../../support/resume.ts';
import { type ImportJson, inWorld, nameOf, type Prove, type PushJson, type World } from '../world.ts';

const TURNS = 3000;
const BYTES = 58_000_000;
const PASS = fileURLToPath(new URL('../../../bench/pass.mjs', import.meta.url));

/** A session grown to 58 MB and 3,000 turns: time beside one plain pass over the same file, memory, and what the model gets. */
export const prove: Prove = (input, prover) =>
  inWorld(input, prover, async (w) => {
    growLarge(w.session, TURNS, BYTES);
    prover.note(`${statSync(w.session.path).size} bytes`);
    const pass = (): number => JSON.parse(execFileSync(process.execPath, [PASS, w.session.path], { encoding: 'utf8' })).ms;
    const before = pass();
    const push = await measured(w, w.ann, w.annProject, 'push', nameOf(w.session), '--json');
    await w.json(w.bob, w.bobProject, 'pull');
    const handoff = (push.json as PushJson).handoffs[0]?.handoff ?? '';
    const client = await installed(w.bob, prover.to);
    const imported = await measured(w, w.bob, w.bobProject, 'import', handoff, '--to', prover.to, '--json');
    const floor = (before + pass()) / 2;
    for (const [name, run, most] of [
      ['push', push, 5],
      ['import', imported, 3],
    ] as const) {
      prover.note(`${name}: ${run.ms.toFixed(0)} ms, ${(run.rss / 1e6).toFixed(0)} MB; one pass: ${floor.toFixed(0)} ms`);
      prover.timed(run.ms <= most * floor, `${name} takes ${(run.ms / floor).toFixed(2)} times one pass (at most ${most})`);
      prover.check(run.rss <= 300e6, `${name} needs at most 300 MB (${(run.rss / 1e6).toFixed(0)} MB)`);
    }
    await theModelsView(client, prover, imported.json as ImportJson);
    await client.close();
  });

async function theModelsView(client: Installed, prover: Parameters<Prove>[1], imported: ImportJson): Promise<void> {
  const text = readFileSync(imported.path, 'utf8');
  const found = (pattern: RegExp) => new Set([...text.matchAll(pattern)].map((match) => Number(match[1])));
  const [asked, answered] = [found(/Turn (\d+): please/g), found(/Module (\d+) is fine\./g)];
  const missing = Array.from({ length: TURNS }, (_, n) => n).filter((n) => !asked.has(n) || !answered.has(n));
  prover.check(missing.length === 0, `all ${TURNS} turns are in the imported file`, `missing: ${missing.slice(0, 10)}`);
  const items = requestItems(await client.resume(imported));
  prover.check(items.length > 0, 'the real client resumes it');
  const size = JSON.stringify(items).length;
  // Four characters a token is what the clients themselves reckon with; the window is 200,000 in both test configurations.
  prover.check(
    items.length <= 16_384 && size / 4 <= 200_000,
    `the request on resume has ${items.length} items and about ${Math.round(size / 4)} tokens (at most 16384 and 200000)`,
  );
}

/** Runs relay and measures wall time (ms) and peak memory (bytes) of its process. */
async function measured(w: World, person: World['ann'], cwd: string, ...args: string[]): Promise<{ ms: number; rss: number; json: unknown }> {
  const report = join(w.root, `rss-${Math.random().toString(36).slice(2)}`);
  const hook = join(w.root, 'rss.mjs');
  writeFileSync(
    hook,
    `import { writeFileSync } from 'node:fs';\nprocess.on('exit', () => writeFileSync(process.env.RSS_REPORT, String(process.resourceUsage().maxRSS)));\n`,
  );
  const started = performance.now();
  const ended = await runProgram(process.execPath, ['--import', hook, RELAY, ...args], { cwd, env: { ...person.env, RSS_REPORT: report }, timeout: 300_000 });
  const ms = performance.now() - started;
  if (ended.code !== 0) throw new Error(`relay ${args.join(' ')} ended with ${ended.code}: ${ended.stderr}`);
  return { ms, rss: Number(readFileSync(report, 'utf8')) * 1024, json: JSON.parse(ended.stdout) };
}
