import type { PurgedHandoff } from '#store/types.ts';
import { localSessions } from './find.ts';
import { originsOf, touched } from './origins.ts';
import { readImports } from './registry.ts';
import type { Workspace } from './workspace.ts';

/** A session of this machine that was imported from what was purged, and still holds it. */
export interface PurgedImport {
  agent: string;
  session: string;
  path: string;
}

/** Tells of a purge which sessions there are that it does not reach. The agents' sessions are only listed where one could be among them. */
export async function importsHolding(ws: Workspace, purges: readonly PurgedHandoff[]): Promise<(purge: PurgedHandoff) => PurgedImport[]> {
  const imports = purges.length ? await readImports(ws) : [];
  const made = [...new Set(imports.map(({ to }) => to))].map((to) => ({ to, versions: originsOf(imports, to).versions }));
  const holding = (purge: PurgedHandoff): string[] => made.flatMap(({ to, versions }) => (versions.some((one) => touched(purge, one)) ? [to] : []));
  const any = purges.some((purge) => holding(purge).length);
  const local = new Map((any ? await localSessions(ws, { all: true }) : []).map((card) => [`${card.agent}:${card.id}`, card]));
  return (purge) =>
    holding(purge).flatMap((to) => {
      const card = local.get(to);
      return card ? [{ agent: card.agent, session: card.id, path: card.path }] : [];
    });
}
