import { readCall, readReport } from '#adapters/actions.ts';
import type { Adapter } from '#adapters/adapter.ts';
import { makeBrief } from '#context/brief/make.ts';
import { type Head, render } from '#context/brief/render.ts';
import type { Brief } from '#context/brief/value.ts';
import { collect } from '#context/evidence/collect.ts';
import type { Evidence } from '#context/evidence/evidence.ts';
import { wordsOf } from '#context/words/index.ts';
import { type Loaded, readStreams } from './load.ts';

/** What a session says and shows (see Evidence), read from its beginning to its end. */
export async function evidenceOf(loaded: Loaded, adapter: Adapter): Promise<Evidence> {
  const streams = await readStreams(loaded);
  const { id, title, cwd, updated } = loaded.card;
  return collect(
    streams,
    adapter.conversation(streams),
    { call: (call, result) => readCall(call, result, adapter.id), report: (text) => readReport(text, adapter.id) },
    { agent: adapter.title, session: id, title, cwd, last: updated },
  );
}

/** The brief of a session, and the document that is made of it. */
export async function briefOf(loaded: Loaded, adapter: Adapter, head: Head = { status: 'draft' }): Promise<{ evidence: Evidence; brief: Brief; document: string }> {
  const evidence = await evidenceOf(loaded, adapter);
  const brief = makeBrief(evidence, wordsOf());
  return { evidence, brief, document: render(brief, head) };
}
