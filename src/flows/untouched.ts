import { stat } from 'node:fs/promises';
import type { SessionCard } from '#session/source.ts';
import { readImports } from './registry.ts';
import type { Workspace } from './workspace.ts';

/** File times of an import and its note differ by less, in ms. */
const SAME_MOMENT = 5000;

/** Without sessions that an import made and nobody went on with: whoever they came from has them already, and they have done nothing. */
export async function withoutUntouchedImports(ws: Workspace, cards: SessionCard[]): Promise<SessionCard[]> {
  const made = new Map((await readImports(ws)).map((entry) => [entry.to, Date.parse(entry.at)]));
  const untouched = async (card: SessionCard): Promise<boolean> => {
    const at = made.get(`${card.agent}:${card.id}`);
    if (at === undefined) return false;
    // A file that has gone meanwhile is for whoever reads it to report.
    const file = await stat(card.path).catch(() => undefined);
    return file !== undefined && file.mtimeMs <= at + SAME_MOMENT;
  };
  const flags = await Promise.all(cards.map(untouched));
  return cards.filter((_, i) => !flags[i]);
}
