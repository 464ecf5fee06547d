import { growTurns } from '../../support/grow.ts';
import { inWorld, nameOf, type Prove, type PushJson } from '../world.ts';

interface DiffJson {
  from: string;
  to: string;
  records: Record<'added' | 'changed' | 'removed', { stream: string; record: number; role: string; text: string }[]>;
}

/** relay diff of two versions with three new turns shows exactly their messages. */
export const prove: Prove = (input, prover) =>
  inWorld(input, prover, async (w) => {
    const first = await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
    growTurns(w.session, 3, 1);
    await w.json<PushJson>(w.ann, w.annProject, 'push', nameOf(w.session));
    const handoff = first.handoffs[0]?.handoff ?? '';
    const diff = await w.json<DiffJson>(w.ann, w.annProject, 'diff', `${handoff}@1`, `${handoff}@2`);
    const { added, changed, removed } = diff.records;
    const before = first.handoffs[0]?.records ?? 0;
    const prompts = added.filter((row) => row.role === 'user' && /^Turn \d: please/.test(row.text));
    prover.check(
      prompts.length === 3 && [0, 1, 2].every((n) => prompts[n]?.text.startsWith(`Turn ${n}:`)),
      'the three new prompts are added, in order',
      JSON.stringify(added.map((r) => r.text.slice(0, 40))),
    );
    const kinds = [/^Turn \d/, /cat src\/module-\d/, /./, /./];
    prover.check(
      added.length >= 3 * kinds.length && added.every((row) => row.record >= Math.min(before, row.record) && row.stream === 'main'),
      `${added.length} records are added: prompts, calls, results and answers`,
      JSON.stringify(added.map((r) => [r.record, r.role])),
    );
    prover.check(!changed.length && !removed.length, 'nothing is changed or removed', JSON.stringify({ changed, removed }).slice(0, 500));
    const same = await w.json<DiffJson>(w.ann, w.annProject, 'diff', `${handoff}@2`, `${handoff}@2`);
    prover.check(!same.records.added.length, 'a version does not differ from itself');
  });
