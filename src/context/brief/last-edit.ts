import type { Evidence } from '#context/evidence/evidence.ts';
import { isBelow } from '#context/shell/paths.ts';
import { replay } from './replay.ts';

/** Texts for people: no check looks at them. */
const PROSE = /\.(?:md|mdx|txt|rst|adoc|log)$/i;

/** Number of the last operation that changed a file of the project, or may have; 0: none did. Texts for people and what is written elsewhere do not count. */
export function lastEdit(evidence: Evidence): number {
  const root = evidence.source.cwd;
  const counted = replay(evidence).files.records.filter(({ path, merged }) => !merged && !PROSE.test(path) && isBelow(path, root));
  return counted.reduce((last, { changes, doubts }) => Math.max(last, changes.at(-1) ?? 0, doubts.at(-1) ?? 0), 0);
}
