export type { Drift } from '#session/drift.ts';
export { compareFiles } from './compare.ts';
export type { FileRow, FileState, Snapshot, Touch } from './files.ts';
export { readSnapshot } from './files.ts';
export { takeSnapshot } from './take.ts';
export { uncommitted } from './uncommitted.ts';
export type { Project } from './work-tree.ts';
