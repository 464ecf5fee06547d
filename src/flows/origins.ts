import type { PurgedHandoff } from '#store/types.ts';
import type { ImportEntry } from './registry.ts';

/** A version of a handoff. */
interface HandoffVersion {
  handoff: string;
  version: number;
}

/** What a session was made from by imports, one after another. */
export interface Origins {
  /** `<agent>:<id>`: the session itself, and those of this machine that it goes back to */
  sessions: string[];
  versions: HandoffVersion[];
}

/** What a session goes back to. @param session `<agent>:<id>` */
export function originsOf(imports: readonly ImportEntry[], session: string): Origins {
  const sessions = [session];
  const versions: HandoffVersion[] = [];
  // The list grows while it is walked: each session's own origins come after it.
  for (const one of sessions)
    for (const { from, version } of imports.filter((entry) => entry.to === one)) {
      const [, handoff, n] = /^([^/#]+\/.+)@(\d+)$/.exec(version) ?? [];
      if (handoff) versions.push({ handoff, version: Number(n) });
      else if (!sessions.includes(from)) sessions.push(from);
    }
  return { sessions, versions };
}

/** True where a purge took this version away as a whole. */
export const tookAway = ({ handoff, gone, last, versions }: PurgedHandoff, one: HandoffVersion): boolean =>
  handoff === one.handoff && (gone ? one.version <= last : versions.includes(one.version));

/** True where something of this version was purged. */
export const touched = (purge: PurgedHandoff, one: HandoffVersion): boolean =>
  tookAway(purge, one) || (purge.handoff === one.handoff && purge.edited.includes(one.version));
