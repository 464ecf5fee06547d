import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { openRegular, readPiece } from '#lib/regular.ts';
import type { SessionCard } from '#session/source.ts';
import { type ImportEntry, readImports } from './registry.ts';
import type { Workspace } from './workspace.ts';

/** Without sessions that an import made and nobody went on with: whoever they came from has them already, and they have done nothing. */
export async function withoutUntouchedImports(ws: Workspace, cards: SessionCard[]): Promise<SessionCard[]> {
  const made = new Map((await readImports(ws)).map((entry) => [entry.to, entry]));
  const untouched = async (card: SessionCard): Promise<boolean> => {
    const entry = made.get(`${card.agent}:${card.id}`);
    // A file that has gone meanwhile is for whoever reads it to report.
    return entry !== undefined && (await isAsWritten(card.path, entry).catch(() => false));
  };
  const flags = await Promise.all(cards.map(untouched));
  return cards.filter((_, i) => !flags[i]);
}

/** How much of a file's end is looked at, in bytes. What goes on with a session appends to it. */
const END = 4096;

/** What tells later whether anything was added to a file, however often it was copied or touched. */
export async function writtenState(path: string): Promise<{ size: number; end: string }> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - END);
    const end = await readPiece(file, from, size - from);
    return { size, end: createHash('sha256').update(end).digest('hex').slice(0, 32) };
  } finally {
    await file.close();
  }
}

/** Of an import that an earlier relay noted nothing but the time is known: then its file is no younger, but for so many ms. */
const SAME_MOMENT = 5000;

async function isAsWritten(path: string, { at, written }: ImportEntry): Promise<boolean> {
  const { size, mtimeMs } = await stat(path);
  if (!written) return mtimeMs <= Date.parse(at) + SAME_MOMENT;
  return size === written.size && (await writtenState(path)).end === written.end;
}
