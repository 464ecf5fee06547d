import type { Evidence } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { binding } from './binding.ts';
import { checks } from './checks.ts';
import { claims } from './claims.ts';
import { commits } from './commits.ts';
import { conclusions } from './conclusions.ts';
import { errors } from './errors.ts';
import { files } from './files.ts';
import { lastWord } from './last-word.ts';
import { limitations } from './limitations.ts';
import { overridden, overrides } from './overrides.ts';
import { type Known, next, pending, state } from './progress.ts';
import { requests } from './requests.ts';
import { todos } from './todos.ts';
import type { Brief, FilePoint, Point } from './value.ts';

/** The brief of a session: by rule, without a model; the same evidence always gives the same brief. */
export function makeBrief(evidence: Evidence, words: Words): Brief {
  const { agent, session, cwd, last } = evidence.source;
  const shown = claims(evidence);
  const found = conclusions(evidence);
  const known: Known = { todos: todos(evidence), checks: checks(evidence), last: lastWord(evidence, shown), questions: [], postponed: [] };
  return {
    source: { agent, session, cwd, last },
    requests: requests(evidence, overridden(evidence, words), words),
    decisions: [...standing(binding(evidence, words), evidence, words), ...found.decisions],
    rejected: found.rejected,
    files: [...files(evidence), ...commits(evidence).map(asFile)],
    errors: errors(evidence),
    state: state(evidence, known),
    pending: pending(evidence, known),
    next: next(evidence, known, []),
    questions: [],
    limitations: limitations(evidence),
    corrections: [],
    checks: known.checks.slice(),
  };
}

/** What later words of the user have not replaced; of what they have in part, the rest. */
function standing(points: readonly Point[], evidence: Evidence, words: Words): Point[] {
  const gone = overrides(points, evidence, words);
  return points.flatMap((point) => {
    const replaced = gone.get(point);
    if (!replaced) return [point];
    return replaced.rest ? [{ ...point, text: replaced.rest, mark: `(the rest superseded by #${replaced.by})` }] : [];
  });
}

/** A commit stands among the files: it says what of them is kept. */
const asFile = (point: Point): FilePoint => ({ ...point, path: '', state: 'changed' });
