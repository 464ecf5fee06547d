import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { unresolved } from '#context/brief/resolve.ts';
import { briefOf } from '#flows/brief.ts';
import { needAdapter } from '#flows/find.ts';
import { loadLocal } from '#flows/load.ts';

/** What a labelled session must show: see CONTRIBUTING.md. A fact or a forbidden claim counts where one of its texts stands in the brief. */
interface Expected {
  agent: string;
  facts: Labelled[];
  forbidden: Labelled[];
  /** sentences that must stand in it as they were said */
  neverCut: string[];
}
interface Labelled {
  id: string;
  any: string[];
}

const flat = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase();
const MOST = 64 * 1024;

/** `npm run brief:check -- <folder> ...`: scores the brief of each labelled session in the folders (session.jsonl and expected.json). Exit 1 where anything fails. */
async function check(folder: string): Promise<{ facts: number; found: number; faults: string[] }> {
  const { agent, facts, forbidden, neverCut } = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected;
  const adapter = needAdapter(agent);
  const source = await adapter.open({ env: {}, home: '/nowhere' }, join(folder, 'session.jsonl'));
  const { brief, evidence, document } = await briefOf(loadLocal(source, adapter), adapter);
  const text = flat(document);
  const stands = ({ any }: Labelled): boolean => any.some((one) => text.includes(flat(one)));
  const missing = facts.filter((fact) => !stands(fact));
  const faults = [
    ...missing.map(({ id, any }) => `fact missing: ${id} (${any[0]})`),
    ...forbidden.filter(stands).map(({ id, any }) => `FORBIDDEN: ${id} (${any.find((one) => text.includes(flat(one)))})`),
    ...neverCut.filter((sentence) => !text.includes(flat(sentence))).map((sentence) => `CUT: ${sentence}`),
    ...unresolved(evidence, brief).map(({ point, fault }) => `citation: ${fault} [${point.text.slice(0, 60).replaceAll('\n', ' ')}]`),
    ...(Buffer.byteLength(document) > MOST ? [`${Buffer.byteLength(document)} bytes, at most ${MOST}`] : []),
  ];
  return { facts: facts.length, found: facts.length - missing.length, faults };
}

const given = process.argv.slice(2).map((path) => resolve(path));
const folders = given
  .flatMap((path) => (existsSync(join(path, 'expected.json')) ? [path] : readdirSync(path).map((name) => join(path, name))))
  .filter((path) => existsSync(join(path, 'expected.json')));
if (!folders.length) {
  process.stderr.write('Name a folder that holds labelled sessions, each with session.jsonl and expected.json: npm run brief:check -- test/briefs\n');
  process.exit(2);
}
let [facts, found, failed] = [0, 0, 0];
for (const folder of folders) {
  const result = await check(folder);
  facts += result.facts;
  found += result.found;
  failed += result.faults.length;
  process.stdout.write(
    `${result.faults.length ? 'FAIL' : 'ok  '} ${folder.split('/').at(-1)}: ${result.found} of ${result.facts} facts\n${result.faults.map((fault) => `       ${fault}\n`).join('')}`,
  );
}
process.stdout.write(`${folders.length} sessions: ${found} of ${facts} facts (${((100 * found) / Math.max(1, facts)).toFixed(1)} %), ${failed} faults\n`);
process.exitCode = failed ? 1 : 0;
