import type { Evidence } from '#context/evidence/evidence.ts';
import { shownPath } from '#context/shell/paths.ts';
import type { Commit, Happening } from './git-ledger.ts';
import { replay } from './replay.ts';
import type { Point } from './value.ts';

/** Of one commit so many files are named. */
const FILES_MAX = 12;

/** The commits that a session made, with id, subject and files as far as they are known, and what it did to branches, tags and remotes; in order. */
export function commits(evidence: Evidence): Point[] {
  const { git } = replay(evidence);
  const points = [
    ...git.commits.map((commit) => ({ at: commit.operation, point: commitPoint(commit, evidence.source.cwd) })),
    ...git.happenings.map((one) => ({ at: one.operation, point: happeningPoint(one) })),
  ];
  return points.toSorted((a, b) => a.at - b.at).map(({ point }) => point);
}

function commitPoint({ id, branch, subject, deltas, undone, operation }: Commit, root: string): Point {
  const held = deltas.filter(({ record }) => !record.folder);
  const paths = [...new Set(held.map(({ record, after, before }) => shownPath(after.now ?? before.now ?? record.path, root)))];
  const rest = paths.length - FILES_MAX;
  const listed = paths.length ? ` (${paths.slice(0, FILES_MAX).join(', ')}${rest > 0 ? ` and ${rest} more` : ''})` : '';
  const end = undone ? `; ${undone.how === 'reset' ? 'taken off the branch again' : 'reverted'} (E#${undone.operation})` : '';
  return {
    text: `commit ${id || '(id not shown)'}${branch ? ` on ${branch}` : ''}: ${subject}${listed}${end}`,
    cites: [`E#${operation}`, ...(undone ? [`E#${undone.operation}`] : [])],
    origin: 'operation',
    mark: '',
  };
}

const happeningPoint = ({ operation, text }: Happening): Point => ({ text, cites: [`E#${operation}`], origin: 'operation', mark: '' });
