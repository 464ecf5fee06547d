import { RelayError } from '#lib/errors.ts';
import { findCommit } from './commit-sessions.ts';
import { findHandoff, isLatest } from './find.ts';
import { needRepository, type Workspace } from './workspace.ts';

/** Says outright that a commit is meant. */
const PREFIX = 'commit:';

/**
 * The revision that a name means, where it means a commit: `commit:<rev>`, or what no handoff is called and git knows. Undefined: a handoff is meant. A name that
 * could be both is an error, and so is one that is neither (RelayError not-found).
 */
export async function commitNamed(ws: Workspace, name: string): Promise<string | undefined> {
  needRepository(ws);
  if (name.startsWith(PREFIX)) return name.slice(PREFIX.length);
  const commit = await findCommit(ws, name);
  const handoff = await handoffNamed(ws, name);
  if (!commit) {
    // That there is no newest one is told where it is looked for.
    if (handoff || isLatest(name)) return undefined;
    throw new RelayError(
      'not-found',
      `${name} is neither a handoff nor a commit here.`,
      'relay list and git log show those that are; relay pull and git fetch get those of others.',
    );
  }
  if (!handoff) return name;
  throw new RelayError(
    'ambiguous',
    `${name} could be the handoff ${handoff} or the commit ${commit.slice(0, 12)}.`,
    `Type ${PREFIX}${name} or the whole name of the handoff.`,
  );
}

/** `latest` is a handoff wherever there is one. */
async function handoffNamed(ws: Workspace, name: string): Promise<string | undefined> {
  const cards = await (await ws.store()).list();
  if (isLatest(name)) return cards[0]?.handoff;
  return findHandoff(cards, name)?.card.handoff;
}
