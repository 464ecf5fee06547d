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
import { type Proposals, proposals } from './proposals.ts';
import { questions } from './questions.ts';
import { requests } from './requests.ts';
import { steps } from './steps.ts';
import { todos } from './todos.ts';
import type { Brief, FilePoint, Point } from './value.ts';
import { waiting } from './waiting.ts';

/** The brief of a session: by rule, without a model; the same evidence always gives the same brief. */
export function makeBrief(evidence: Evidence, words: Words): Brief {
  const { agent, session, cwd, last } = evidence.source;
  const shown = claims(evidence);
  const found = conclusions(evidence);
  const proposed = proposals(evidence, words);
  const known: Known = {
    todos: todos(evidence),
    checks: checks(evidence),
    last: lastWord(evidence, shown),
    questions: questions(evidence, words),
    postponed: [...waiting(evidence, words), ...proposed.postponed],
  };
  return {
    source: { agent, session, cwd, last },
    requests: requests(evidence, overridden(evidence, words), words),
    decisions: [...withoutAnswers(standing(binding(evidence, words), evidence, words), proposed), ...proposed.decided, ...found.decisions],
    rejected: [...proposed.rejected, ...found.rejected],
    files: [...files(evidence), ...commits(evidence).map(asFile)],
    errors: errors(evidence),
    state: state(evidence, known),
    pending: pending(evidence, known),
    next: next(evidence, known, steps(evidence, words)),
    questions: [...known.questions, ...proposed.unanswered],
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

/** An answer that stands with its proposal as a whole needs not stand by itself. */
function withoutAnswers(points: readonly Point[], { decided, rejected, postponed }: Proposals): Point[] {
  const answers = [...decided, ...rejected, ...postponed];
  const stands = (answer: string, cites: readonly string[]) =>
    answers.some((one) => cites.every((cite) => one.cites.includes(cite)) && one.text.endsWith(answer));
  return points.filter(({ text, cites }) => {
    const answer = /^asked: [\s\S]*; answered: (["“][\s\S]*["”])$/.exec(text)?.[1];
    return answer === undefined || !stands(answer, cites);
  });
}

/** A commit stands among the files: it says what of them is kept. */
const asFile = (point: Point): FilePoint => ({ ...point, path: '', state: 'changed' });
