import type { Evidence, Operation, Statement, Supporting } from '#context/evidence/evidence.ts';
import type { Action, FileChange, Outcome } from '#session/action.ts';

/** One thing that happens in a session: what somebody says, or an operation with its end. */
export type Told = { user: string } | { assistant: string } | { agent: string } | ({ actions: Action[] } & Partial<Outcome>);

export const run = (command: string, output = '', more: Partial<Outcome> & { cwd?: string; shell?: string } = {}): Told => {
  const { cwd, shell, ...outcome } = more;
  return {
    actions: [{ kind: 'run', command, ...(cwd === undefined ? {} : { cwd }), ...(shell === undefined ? {} : { shell }) }],
    state: outcome.exit ? 'failed' : 'done',
    output,
    ...outcome,
  };
};
export const change = (change: FileChange['change'], path: string, more: Partial<FileChange> & Partial<Outcome> = {}): Told => {
  const { to, swaps, ...outcome } = more;
  return { actions: [{ kind: 'change', files: [{ path, change, ...(to === undefined ? {} : { to }), ...(swaps ? { swaps } : {}) }] }], ...outcome };
};
export const read = (...paths: string[]): Told => ({ actions: [{ kind: 'read', paths }] });

/** Evidence of a session that went like this; every request begins a turn. */
export function told(things: readonly Told[], cwd = '/home/mia/work/shop'): Evidence {
  const statements: Statement[] = [];
  const supporting: Supporting[] = [];
  const operations: Operation[] = [];
  let turn = 0;
  things.forEach((thing, order) => {
    if ('user' in thing) turn++;
    const at = { stream: 'main', record: order, order: 2 * order, turn };
    if ('user' in thing || 'assistant' in thing) {
      const [by, text] = 'user' in thing ? (['user', thing.user] as const) : (['assistant', thing.assistant] as const);
      statements.push({ n: statements.length + 1, by, text, at });
    } else if ('agent' in thing) supporting.push({ n: supporting.length + 1, kind: 'agent', text: thing.agent, at });
    else {
      const { actions, ...outcome } = thing;
      operations.push({
        n: operations.length + 1,
        tool: 'tool',
        what: whatOf(actions),
        actions,
        outcome: { state: 'done', output: '', ...outcome },
        at,
        ended: { ...at, order: 2 * order + 1 },
      });
    }
  });
  const turns = Array.from({ length: turn }, (_, n) => ({ n: n + 1, ended: 'complete' as const }));
  return {
    source: { agent: 'Claude Code', session: 's', title: '', cwd, last: '' },
    statements,
    supporting,
    operations,
    turns,
    abandoned: 0,
    compactions: 0,
    sealed: false,
  };
}

const whatOf = (actions: readonly Action[]): string => {
  const [first] = actions;
  return first?.kind === 'run' ? first.command : first?.kind === 'change' ? (first.files[0]?.path ?? '') : (first?.kind ?? '');
};
