import type { SessionRecord } from '#session/record.ts';
import { buildTree } from './tree.ts';

/** Follows a session as it streams by, so that lines can be added at its end. Holds how the records hang together, no text. */
export interface Trunk {
  add(record: SessionRecord): void;
  /** id of the entry that the resumed branch ends at */
  leaf(): string | undefined;
  /** id of a record by its number */
  id(index: number): string | undefined;
  /** newest time seen, in ms */
  time(): number;
}

export function createTrunk(): Trunk {
  const bones: SessionRecord[] = [];
  let newest = 0;
  const idOf = (record: SessionRecord | undefined): string | undefined => (record && record.type !== 'raw' ? record.id : undefined);
  return {
    add(record) {
      bones.push(record.type === 'message' ? { ...bare(record), content: [] } : record.type === 'raw' ? { type: 'raw' } : bare(record));
      const time = record.type === 'raw' ? Number.NaN : Date.parse(record.time ?? '');
      if (time > newest) newest = time;
    },
    leaf: () => idOf(buildTree(bones).leaf?.record),
    id: (index) => idOf(bones[index]),
    time: () => newest,
  };
}

function bare<R extends Exclude<SessionRecord, { type: 'raw' }>>(record: R): R {
  const { native: _, attached: __, ...rest } = record;
  return rest as R;
}
