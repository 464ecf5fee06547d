import { workspace } from '#flows/context.ts';
import { listSessions } from '#flows/sessions.ts';
import { type Io, printJson } from '#io/io.ts';
import { ago, table } from '#report/index.ts';

/** relay sessions */
export async function sessions(io: Io, options: { json?: boolean; all?: boolean; agent?: string }): Promise<number> {
  const ws = await workspace(io);
  const rows = await listSessions(ws, { ...(options.all ? { all: true } : {}), ...(options.agent ? { agent: options.agent } : {}) });
  if (options.json) printJson(io, { sessions: rows });
  else if (!rows.length) io.stderr.write(`No agent on this machine has a session for this project.${options.all ? '' : ' --all looks at every project.'}\n`);
  else
    io.stdout.write(
      table(
        ['agent', 'updated', 'records', 'id', 'title'],
        rows.map((s) => [s.agent, ago(s.updated, io.now()), String(s.records), s.id, s.title]),
        io.stdout.columns,
      ),
    );
  return 0;
}
