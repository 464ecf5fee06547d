import type { SessionRecord } from '#session/record.ts';

/** Follows a session as it streams by, so that lines can be added at its end. Holds ids only, no text. */
export interface Trunk {
  add(record: SessionRecord, index: number): void;
  /** id of the entry that the resumed branch ends at */
  leaf(): string | undefined;
  /** id of a record by its number */
  id(index: number): string | undefined;
  /** newest time seen, in ms */
  time(): number;
}

/** The leaf by the same rule as tree.ts: the last `last-prompt` that names a leaf, else the last leaf in file order. */
export function createTrunk(): Trunk {
  const ids: (string | undefined)[] = [];
  const order: string[] = [];
  const known = new Set<string>();
  const parents = new Set<string>();
  let named: string | undefined;
  let newest = 0;
  return {
    add(record, index) {
      if (record.type === 'raw') return;
      if (record.type === 'event' && record.kind === 'leaf') named = typeof record.data?.leaf === 'string' ? record.data.leaf : undefined;
      if (record.id === undefined || record.side) return;
      ids[index] = record.id;
      const previous = order.at(-1);
      if (!known.has(record.id)) order.push(record.id);
      known.add(record.id);
      const parent = record.parent ?? undefined;
      // A parent that is not in the file is replaced by the entry before; one that stands later in the file is rare enough to be taken as such.
      if (parent !== undefined && parent !== record.id) parents.add(known.has(parent) ? parent : (previous ?? parent));
      const time = Date.parse(record.time ?? '');
      if (time > newest) newest = time;
    },
    leaf: () => (named !== undefined && known.has(named) && !parents.has(named) ? named : (order.findLast((id) => !parents.has(id)) ?? order.at(-1))),
    id: (index) => ids[index],
    time: () => newest,
  };
}
