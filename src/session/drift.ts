/** How a file that a session read or changed stands in a working directory now. */
export interface Drift {
  /** as the snapshot names it: relative to the project's root, with forward slashes */
  path: string;
  state: 'same' | 'changed' | 'missing' | 'renamed';
  /** where a renamed file stands now */
  to?: string;
}
