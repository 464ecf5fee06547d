import { workspace } from '#flows/context.ts';
import { needRepository } from '#flows/workspace.ts';
import { type Io, printJson } from '#io/io.ts';
import { ago, table } from '#report/index.ts';

/** relay list */
export async function list(io: Io, options: { json?: boolean }): Promise<number> {
  const ws = await workspace(io);
  needRepository(ws);
  const handoffs = (await (await ws.store()).list()).sort((a, b) => (a.updated < b.updated ? 1 : -1));
  if (options.json) printJson(io, { handoffs });
  else if (!handoffs.length) io.stderr.write('No handoffs are known here. relay pull fetches those of teammates; relay push makes one.\n');
  else
    io.stdout.write(
      table(
        ['handoff', 'agent', 'by', 'updated', 'state', 'title'],
        handoffs.map((h) => [`${h.handoff}@${h.version}`, h.agent, h.author, ago(h.updated, io.now()), h.state, h.title]),
        io.stdout.columns,
      ),
    );
  return 0;
}
