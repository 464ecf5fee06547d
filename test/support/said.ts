import type { Evidence, Operation, Statement } from '#context/evidence/evidence.ts';

/** Evidence of a conversation: a text is the user's, `{ model }` the model's. */
export function evidenceOfTalk(said: readonly (string | { model: string } | { answer: string; operation: number })[], operations: Operation[] = []): Evidence {
  const statements = said.map(
    (one, i): Statement => ({
      n: i + 1,
      by: typeof one === 'object' && 'model' in one ? 'assistant' : 'user',
      text: typeof one === 'string' ? one : 'model' in one ? one.model : one.answer,
      at: { stream: 'main', record: i, order: i, turn: i + 1 },
      ...(typeof one === 'object' && 'operation' in one ? { operation: one.operation } : {}),
    }),
  );
  const source = { agent: 'Claude Code', session: 's', title: '', cwd: '/p', last: '' };
  return { source, statements, supporting: [], operations, turns: [], abandoned: 0, compactions: 0, sealed: false };
}
