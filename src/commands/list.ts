import { workspace } from '#flows/context.ts';
import { needRepository } from '#flows/workspace.ts';
import { type Io, printJson } from '#io/io.ts';
import { ago, safeTitle, shortHandoffs, tableFor } from '#report/index.ts';
import type { HandoffCard } from '#store/types.ts';

/** relay list */
export async function list(io: Io, options: { json?: boolean }): Promise<number> {
  const ws = await workspace(io);
  needRepository(ws);
  const handoffs = (await (await ws.store()).list()).sort((a, b) => (a.updated < b.updated ? 1 : -1));
  if (options.json) printJson(io, { handoffs });
  else if (!handoffs.length) io.stderr.write('No handoffs are known here. relay pull fetches those of teammates; relay push makes one.\n');
  else {
    const titles = ['handoff', 'agent', 'by', 'updated', 'state', 'title'];
    const row = (h: HandoffCard, name: string) => [
      `${name}@${h.version}`,
      h.agent,
      safeTitle(h.author),
      ago(h.updated, io.now()),
      h.purged ? 'purged' : h.state,
      safeTitle(h.title),
    ];
    const whole = handoffs.map((h) => row(h, h.handoff));
    // Agent and writer stand in the name too.
    const narrow = () => ({ rows: shortHandoffs(handoffs).map((name, i) => row(handoffs[i] as HandoffCard, name)), spare: [1, 2, 4, 3] });
    io.stdout.write(await tableFor(io.stdout, titles, whole, narrow));
  }
  return 0;
}
