import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unresolved } from '#context/brief/resolve.ts';
import { briefOf } from '#flows/brief.ts';
import { needAdapter } from '#flows/find.ts';
import { loadLocal } from '#flows/load.ts';

/** What a labelled session must show. A fact or a forbidden claim counts where one of its texts stands in the brief, whatever its case and blanks. */
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

export interface Score {
  facts: number;
  found: number;
  /** in words: facts that are missing, forbidden claims, sentences that were cut, citations that do not say so, a document that is too large */
  faults: string[];
}

/** Bytes that a brief may have. */
const MOST = 64 * 1024;

/** Scores the brief of the labelled session in a folder (session.jsonl, expected.json). */
export async function scoreBrief(folder: string): Promise<Score> {
  const { agent, facts, forbidden, neverCut } = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected;
  const adapter = needAdapter(agent);
  const source = await adapter.open({ env: {}, home: folder }, join(folder, 'session.jsonl'));
  const { brief, evidence, document } = await briefOf(loadLocal(source, adapter), adapter);
  const text = flat(document);
  const stands = (one: string): boolean => text.includes(flat(one));
  const missing = facts.filter(({ any }) => !any.some(stands));
  const size = Buffer.byteLength(document);
  return {
    facts: facts.length,
    found: facts.length - missing.length,
    faults: [
      ...missing.map(({ id, any }) => `fact missing: ${id} (${any[0]})`),
      ...forbidden.flatMap(({ id, any }) => any.filter(stands).map((one) => `forbidden: ${id} (${one})`)),
      ...neverCut.filter((sentence) => !stands(sentence)).map((sentence) => `cut: ${sentence}`),
      ...unresolved(evidence, brief).map(({ point, fault }) => `citation: ${fault} [${point.text.slice(0, 60)}]`),
      ...(size > MOST ? [`${size} bytes, at most ${MOST}`] : []),
    ],
  };
}

const flat = (text: string): string => text.replace(/\s+/g, ' ').toLowerCase();
