import { openRegular } from '#lib/regular.ts';
import { createRedactor, pathMap } from '#redact/index.ts';
import type { SessionCard } from '#session/source.ts';
import { localSessions } from './find.ts';
import { knownSecrets } from './redaction.ts';
import type { Workspace } from './workspace.ts';

/** A row of `sessions --json`. */
export interface SessionRow {
  agent: string;
  id: string;
  title: string;
  cwd: string;
  created: string;
  updated: string;
  records: number;
  path: string;
}

/** The sessions of this project (or of all). What is shown goes through the redaction too: lists end up in logs. */
export async function listSessions(ws: Workspace, options: { all?: boolean; agent?: string }): Promise<SessionRow[]> {
  const cards = await localSessions(ws, options);
  // The key only makes placeholders; a list is not stored, so one of its own will do.
  const redactor = createRedactor({ key: Buffer.alloc(32), known: await knownSecrets(ws), paths: pathMap({ home: '', roots: [] }) });
  const clean = (text: string) => redactor.text(text, 'list');
  const row = async (card: SessionCard): Promise<SessionRow> => ({
    agent: card.agent,
    id: card.id,
    title: clean(card.title),
    cwd: clean(card.cwd),
    created: card.created,
    updated: card.updated,
    records: await countLines(card.path),
    // A folder's name made of a path that holds a secret holds it too, in a form that no rule knows.
    path: clean(card.cwd) === card.cwd ? clean(card.path) : '',
  });
  const rows: SessionRow[] = [];
  for (const card of cards) rows.push(await row(card));
  return rows;
}

/** Lines of a file, a last one without line feed included. */
async function countLines(path: string): Promise<number> {
  let lines = 0;
  let last = 10;
  for await (const chunk of (await openRegular(path)).createReadStream({ highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines++;
    last = chunk.at(-1) ?? last;
  }
  return last === 10 ? lines : lines + 1;
}
