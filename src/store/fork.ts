import { fastImport, type Signature } from '#git/fast-import.ts';
import { RelayError } from '#lib/errors.ts';
import { person } from './draft.ts';
import type { Refs } from './handoffs.ts';
import { formerRef, handoffRef, sessionRef } from './names.ts';
import type { Side } from './side.ts';
import { moveRefs } from './transfer.ts';
import { openVersion, writeState } from './version.ts';

/**
 * Goes on with chains under a new writer id: for each session one version more, with the same content, as the child of its tip.
 * The manifest names the version that it came from in `forkedFrom`.
 * @param tips session -> commit, under the old id
 * @returns session -> commit under the new one
 */
export async function forkChains(side: Side, from: string, to: string, tips: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  const into = fastImport(side.git, 6);
  const marks: { session: string; mark: string; state: unknown }[] = [];
  for (const [session, tip] of tips) {
    const old = await openVersion(side, tip, `${from}/${session}`);
    const forkedFrom = `${from}/${session}@${old.n}`;
    const manifest = { ...old.manifest, handoff: `${to}/${session}`, version: 1, forkedFrom };
    const blob = into.blob(Buffer.from(`${JSON.stringify(manifest)}\n`));
    const author: Signature = { ...person(old.fields.card.author), seconds: Math.floor(side.now() / 1000) };
    const message = `relay: fork of ${forkedFrom}\n\nRelay-Format: 1\nRelay-Parent: ${forkedFrom}\n`;
    const mark = into.commit({ ref: sessionRef(to, session), author, committer: author, message, from: tip, files: new Map([['session.json', blob]]) });
    marks.push({ session, mark, state: old.state });
  }
  const done = await into.finish(marks.map(({ mark }) => mark));
  if ('failed' in done) throw new RelayError('failed', `The sessions could not go on under the name ${to}: ${done.failed}`, 'Run the command again.');
  const forks = new Map<string, string>();
  for (const [i, { session, state }] of marks.entries()) {
    const commit = done.ids[i] as string;
    forks.set(session, commit);
    if (state !== null) await writeState(side, `${to}/${session}`, commit, state);
  }
  return forks;
}

/**
 * Takes the chains under former writer ids out of what counts as this clone's own: those names belong to another clone now.
 * The chains stay, for versions that go on from them.
 */
export async function setFormerAside(side: Side, refs: Refs, former: readonly string[]): Promise<void> {
  const moves = [...refs.own].flatMap(([handoff, tip]): [string, string | null][] => {
    const [writer = '', session = ''] = handoff.split('/');
    return former.includes(writer)
      ? [
          [formerRef(writer, session), tip],
          [handoffRef(handoff), null],
        ]
      : [];
  });
  await moveRefs(side, moves);
}
