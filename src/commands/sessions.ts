import { workspace } from '#flows/context.ts';
import { localSessions } from '#flows/find.ts';
import { listSessions, type SessionRow } from '#flows/sessions.ts';
import { type Io, printJson } from '#io/io.ts';
import { ago, safeTitle, shortIds, tableFor } from '#report/index.ts';

/** relay sessions */
export async function sessions(io: Io, options: { json?: boolean; all?: boolean; agent?: string }): Promise<number> {
  const ws = await workspace(io);
  const rows = await listSessions(ws, { ...(options.all ? { all: true } : {}), ...(options.agent ? { agent: options.agent } : {}) });
  if (options.json) printJson(io, { sessions: rows });
  else if (!rows.length) io.stderr.write(`No agent on this machine has a session for this project.${options.all ? '' : ' --all looks at every project.'}\n`);
  else {
    const row = (s: SessionRow, id: string) => [s.agent, ago(s.updated, io.now()), String(s.records), id, safeTitle(s.title)];
    const narrow = async () => {
      // An id is looked for in every project.
      const all = (await localSessions(ws, { all: true })).map((card) => card.id);
      const ids = shortIds(
        rows.map((s) => s.id),
        all,
      );
      return { rows: rows.map((s, i) => row(s, ids[i] as string)), spare: [2, 1] };
    };
    const titles = ['agent', 'updated', 'records', 'id', 'title'];
    io.stdout.write(
      await tableFor(
        io.stdout,
        titles,
        rows.map((s) => row(s, s.id)),
        narrow,
      ),
    );
  }
  return 0;
}
