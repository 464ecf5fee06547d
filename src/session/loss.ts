/** One thing that an import changed, shortened, added or left out. */
export interface Loss {
  /** record number in its stream, from 0; null where it concerns the session as a whole */
  record: number | null;
  stream?: string;
  /** what it is about, e.g. entrypoint, tool-call, image, thinking, branch, unknown-record */
  kind: string;
  action: 'changed' | 'shortened' | 'left-out' | 'added';
  /** in plain words, for the person who imports; never a secret value */
  reason: string;
}
