import { readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { adapters } from '../../adapters/registry.ts';
import { installClient } from '../support/clients.ts';
import { codexHeads } from '../support/layout-codex.ts';
import type { Input, Prove, ProveAlone, ProvePaths, Prover } from './world.ts';

/**
 * Proves what relay promises on any session: npm run prove -- <session file or folder> [--to <agent>] --case <name>[,<name>…]
 * Some cases take other files or folders, as many as are named. One verdict a line; exit code 1 when any failed.
 */
const CASES: Record<string, () => Promise<{ prove: Prove }>> = {
  local: () => import('./cases/local.ts'),
  lossless: () => import('./cases/lossless.ts'),
  secrets: () => import('./cases/secrets.ts'),
  fidelity: () => import('./cases/fidelity.ts'),
  growth: () => import('./cases/growth.ts'),
  large: () => import('./cases/large.ts'),
  race: () => import('./cases/race.ts'),
  crash: () => import('./cases/crash.ts'),
  edge: () => import('./cases/edge.ts'),
  drift: () => import('./cases/drift.ts'),
  diff: () => import('./cases/diff.ts'),
  untouched: () => import('./cases/untouched.ts'),
  purge: () => import('./cases/purge.ts'),
  known: () => import('./cases/known.ts'),
  rules: () => import('./cases/rules.ts'),
  learned: () => import('./cases/learned.ts'),
  slots: () => import('./cases/slots.ts'),
  gate: () => import('./cases/gate.ts'),
  links: () => import('./cases/links.ts'),
  watch: () => import('./cases/watch.ts'),
  capture: () => import('./cases/capture.ts'),
};

/** These take no session: lines of a labelled corpus, and folders of code. */
const ON_PATHS: Record<string, () => Promise<{ prove: ProvePaths }>> = {
  corpus: () => import('./cases/corpus.ts'),
  code: () => import('./cases/code.ts'),
};

/** These take nothing. */
const ALONE: Record<string, () => Promise<{ prove: ProveAlone }>> = {
  hostile: () => import('./cases/hostile.ts'),
};

/** These drive the real clients, which are installed into a cache of their own on first use. */
const WITH_CLIENTS = new Set(['local', 'fidelity', 'large', 'edge', 'drift', 'slots']);

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function inputAt(path: string): Promise<Input> {
  const where = { env: {}, home: '/nonexistent' };
  const complaints: string[] = [];
  for (const adapter of adapters) {
    try {
      const { path: main } = await adapter.open(where, path);
      return { agent: adapter.id as Input['agent'], path: adapter.id === 'codex' ? withParent(main) : main };
    } catch (error) {
      complaints.push(`${adapter.title}: ${(error as Error).message}`);
    }
  }
  throw new Error(`${path} is no session:\n  ${complaints.join('\n  ')}`);
}

/** A sub-agent's rollout is no session: it goes along with its parent, which is proven in its place. */
function withParent(path: string): string {
  const parent = /^[^\n]*"parent_thread_id":"([^"]+)"/.exec(readFileSync(path, 'utf8').slice(0, 1 << 20))?.[1];
  if (!parent) return path;
  const found = codexHeads(dirname(path)).find(({ meta }) => meta.id === parent);
  if (!found) throw new Error(`${path} is the transcript of a sub-agent of ${parent}, which is not beside it`);
  say(`     ${basename(path)} is the transcript of a sub-agent; ${basename(found.path)}, the session that it goes along with, is proven`);
  return found.path;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { to: { type: 'string' }, case: { type: 'string' }, keep: { type: 'boolean' }, seed: { type: 'string', default: '1' } },
  });
  const paths = positionals.map((path) => resolve(path));
  const names = values.case?.split(',') ?? [];
  const alone = names.every((name) => ALONE[name]);
  if ((!paths[0] && !alone) || !names.length || names.some((name) => !CASES[name] && !ON_PATHS[name] && !ALONE[name])) {
    say(`usage: npm run prove -- <session file or folder> [--to <agent>] --case ${Object.keys(CASES).join('|')}`);
    say(`       npm run prove -- <file or folder>… --case ${Object.keys(ON_PATHS).join('|')}`);
    say(`       npm run prove -- [--seed <text>] --case ${Object.keys(ALONE).join('|')}`);
    return 2;
  }
  const input = names.some((name) => CASES[name]) ? await inputAt(paths[0] as string) : undefined;
  if (names.some((name) => WITH_CLIENTS.has(name))) for (const name of ['claude-code', 'codex'] as const) await installClient(name);
  let failed = 0;
  for (const name of names) {
    const check = (ok: boolean, what: string, detail?: string): void => {
      if (!ok) failed++;
      say(`${ok ? 'ok  ' : 'FAIL'} ${name}: ${what}${!ok && detail ? `\n     ${detail.replaceAll('\n', '\n     ')}` : ''}`);
    };
    const prover: Prover = {
      to: (values.to ?? (input?.agent === 'codex' ? 'claude-code' : 'codex')) as Input['agent'],
      check,
      timed: check,
      note: (text) => say(`     ${text}`),
      keep: values.keep === true,
    };
    try {
      if (ALONE[name]) await (await ALONE[name]()).prove(values.seed, prover);
      else if (ON_PATHS[name]) await (await ON_PATHS[name]()).prove(paths, prover);
      else await (await (CASES[name] as () => Promise<{ prove: Prove }>)()).prove(input as Input, prover);
    } catch (error) {
      check(false, 'ran to its end', (error as Error).stack ?? String(error));
    }
  }
  say(failed ? `${failed} failed` : 'all passed');
  return failed ? 1 : 0;
}

process.exitCode = await main();
