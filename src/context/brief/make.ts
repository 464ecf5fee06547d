import type { Evidence } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { commits } from './commits.ts';
import { files } from './files.ts';
import { limitations } from './limitations.ts';
import { type Known, lastWord, next, pending, state } from './progress.ts';
import { requests } from './requests.ts';
import { todos } from './todos.ts';
import type { Brief } from './value.ts';

/** The brief of a session: by rule, without a model; the same evidence always gives the same brief. */
export function makeBrief(evidence: Evidence, words: Words): Brief {
  const { agent, session, cwd, last } = evidence.source;
  const said = lastWord(evidence);
  const known: Known = {
    todos: todos(evidence),
    checks: [],
    last: said && { text: said.text, cites: [`#${said.n}`], origin: 'assistant', mark: '' },
    questions: [],
    postponed: [],
  };
  return {
    source: { agent, session, cwd, last },
    requests: requests(evidence, words),
    decisions: [],
    rejected: [],
    files: files(evidence),
    errors: [],
    state: state(evidence, known),
    pending: pending(evidence, known),
    next: next(evidence, known, []),
    questions: [],
    limitations: limitations(evidence),
    corrections: [],
    checks: [],
  };
}
