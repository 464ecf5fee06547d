import { isChain, reachable, type StoreRef } from './chains.ts';
import { plainName } from './names.ts';
import type { Plan, Surroundings } from './purge-plan.ts';
import type { Rewritten, Version } from './rewrite.ts';

interface Found {
  refs: readonly StoreRef[];
  /** chains as the remote has them */
  fromRemote: readonly StoreRef[];
  versions: readonly Version[];
  rewritten: Rewritten;
  /** handoffs that go because the value stands where nothing can be edited */
  uneditable: ReadonlySet<string>;
}

/** What happens to a handoff. */
interface Fate {
  handoff: string;
  /** no version is left */
  gone: boolean;
  /** the remote does not know it */
  unsent: boolean;
  /** highest number of a version */
  last: number;
  dropped: number[];
  /** out of these something was taken */
  edited: number[];
}

/** What is said of a purge: to other clones by a tombstone, to people by the report. */
export async function told(around: Surroundings, found: Found): Promise<{ tombstone: Plan['tombstone']; purged: Omit<Plan['purged'], 'refs'> }> {
  const { side, order, to, scrub } = around;
  const { refs, fromRemote, rewritten, uneditable } = found;
  const known = to ? fromRemote : refs.filter(isChain);
  const sent = new Set(
    await reachable(
      side,
      known.map(({ tip }) => tip),
    ),
  );
  const fates = fatesOf(found, sent);
  const meant = fates.filter(({ handoff, gone, edited }) => ('handoff' in order ? handoff === order.handoff : gone || edited.length > 0));
  const onRemote = new Set(fromRemote.map(({ name }) => name));
  const here = new Set(refs.filter(isChain).map(({ name }) => name));
  const pairs = (map: ReadonlyMap<string, string | null>) => [...map].filter(([old]) => sent.has(old)).map(([old, now]): [string, string | null] => [old, now]);
  const others = refs.filter(({ kind, remoteKey, tip }) => kind === 'fetched' && remoteKey !== to?.key && rewritten.commits.has(tip));
  return {
    tombstone: {
      // A name that holds the value is not written down again.
      handoffs: fates
        .filter(({ handoff }) => !scrub?.inName(plainName(handoff)))
        .map(({ handoff, gone, last, dropped, edited, unsent }) => ({
          handoff,
          last,
          ...(gone ? { gone } : dropped.length ? { versions: dropped } : {}),
          ...(!gone && edited.length ? { edited } : {}),
          ...(unsent ? { unsent } : {}),
        })),
      commits: pairs(rewritten.commits),
      blobs: pairs(rewritten.blobs),
    },
    purged: {
      handoffs: meant.map(({ handoff, gone, dropped, edited }) => ({
        handoff,
        gone,
        versions: dropped.length ? dropped : edited,
        here: here.has(handoff),
        remote: onRemote.has(handoff),
      })),
      uneditable: meant.flatMap(({ handoff }) => (uneditable.has(handoff) ? [handoff] : [])),
      goOn: 'handoff' in order ? fates.filter((one) => !meant.includes(one)).map(({ handoff }) => handoff) : [],
      elsewhere: [...new Set(others.flatMap(({ remoteKey }) => remoteKey ?? []))],
    },
  };
}

function fatesOf({ versions, rewritten: { commits, edited } }: Found, sent: ReadonlySet<string>): Fate[] {
  const byHandoff = new Map<string, Version[]>();
  for (const version of versions) if (version.handoff) byHandoff.set(version.handoff, [...(byHandoff.get(version.handoff) ?? []), version]);
  const numbers = (some: readonly Version[]): number[] => [...new Set(some.map(({ n }) => n))].sort((a, b) => a - b);
  return [...byHandoff]
    .filter(([, all]) => all.some(({ commit }) => commits.has(commit)))
    .map(([handoff, all]) => {
      const dropped = all.filter(({ commit }) => commits.get(commit) === null);
      return {
        handoff,
        gone: dropped.length === all.length,
        unsent: !all.some(({ commit }) => sent.has(commit)),
        last: Math.max(...all.map(({ n }) => n)),
        dropped: numbers(dropped),
        edited: numbers(all.filter(({ commit }) => edited.has(commit))),
      };
    });
}
