import { RelayError } from '#lib/errors.ts';
import type { SessionCard } from '#session/source.ts';
import { sessionName } from '#store/index.ts';
import type { PurgedHandoff, Remote } from '#store/types.ts';
import { originsOf, tookAway } from './origins.ts';
import { readImports } from './registry.ts';
import type { Workspace } from './workspace.ts';

type Session = Pick<SessionCard, 'agent' | 'id' | 'path'>;

/** Why a session is not sent: it would bring back what was purged. */
export interface HeldBack {
  purge: PurgedHandoff;
  /** the version that the session was imported from; undefined: it was shared as that handoff itself */
  imported?: string;
}

/** @param named true: the user named this very session, which is how one shares again what one purged oneself */
type Check = (session: Pick<Session, 'agent' | 'id'>, named?: boolean) => HeldBack | undefined;

/**
 * Tells which sessions must not be sent, from what is known here of purges. A session keeps its id when a clone is made anew under another
 * name, so handoffs are compared without their writer. What the remote has of a session all the same goes on.
 */
export async function heldBackFrom(ws: Workspace, remote: Remote | undefined): Promise<Check> {
  const store = await ws.store();
  const purges = await store.purges();
  if (!purges.length) return () => undefined;
  const imports = await readImports(ws);
  const writer = await store.writer();
  const shared = new Set(remote ? await store.shared(remote) : []);
  return ({ agent, id }, named = false) => {
    if (shared.has(`${writer}/${sessionName(agent, id)}`)) return undefined;
    const { sessions, versions } = originsOf(imports, `${agent}:${id}`);
    for (const one of versions) {
      const purge = purges.findLast((purge) => tookAway(purge, one));
      if (purge) return { purge, imported: `${one.handoff}@${one.version}` };
    }
    for (const one of sessions) {
      const purge = purges.findLast(({ handoff, gone }) => gone && partsOf(handoff).session === nameOf(one));
      if (purge && !(named && isOwn(purge))) return { purge };
    }
    return undefined;
  };
}

const partsOf = (handoff: string) => ({ writer: handoff.slice(0, handoff.indexOf('/')), session: handoff.slice(handoff.indexOf('/') + 1) });
const nameOf = (session: string): string => sessionName(session.slice(0, session.indexOf(':')), session.slice(session.indexOf(':') + 1));
/** Purged by who had shared it. */
const isOwn = ({ handoff, by }: PurgedHandoff): boolean => partsOf(handoff).writer === by;

export function refusalOf({ agent, id, path }: Session, { purge, imported }: HeldBack): RelayError {
  const { handoff, by, at } = purge;
  const day = at.slice(0, 10);
  if (imported)
    return new RelayError(
      'blocked',
      `${agent}:${id} was imported from ${imported}, which ${by} purged on ${day}. It still holds what was purged, so it is not sent.`,
      `Rotate what was secret in it, and delete its file (${path}). What is worth keeping can go on in a new session.`,
    );
  if (isOwn(purge))
    return new RelayError(
      'blocked',
      `${agent}:${id} was shared as ${handoff}, which was purged on ${day}. It is not sent again unasked.`,
      `To share it all the same, name it: relay push ${agent}:${id}`,
    );
  return new RelayError(
    'blocked',
    `${agent}:${id} was shared as ${handoff}, which ${by} purged on ${day}, so it is not sent any more.`,
    `Ask ${by} what it was about. What this clone keeps of it goes with: relay purge ${handoff}`,
  );
}
