import type { Evidence } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { isQuestion } from './binds.ts';
import { likeness, subjects } from './likeness.ts';
import { ownWords } from './own-words.ts';
import type { Thread } from './proposals.ts';
import type { Reply } from './replies.ts';
import { type Said, saidIn } from './said.ts';
import { clauses, stanceOf } from './stance.ts';

/** How much of what a clause is about has to be what was settled. */
const ALIKE = 0.5;

/** The threads, with what the user said later to the contrary: "actually no, drop the cache", "ok, let's do the SMS now". */
export function reversals(threads: readonly Thread[], { statements }: Evidence, words: Words): Thread[] {
  const later = statements
    .filter(({ by, text }) => by === 'user' && (words.taking_back.test(text) || TAKING_UP.test(text)))
    .flatMap((statement) => saidIn(statement, ownWords(statement.text, words)))
    .filter(({ text }) => !isQuestion(text, words));
  return threads.map((thread) => {
    let replies = thread.replies;
    for (const said of later) {
      const stance = said.statement.at.order > (replies.at(-1) as Reply).statement.at.order ? turnOf(said, thread, replies, words) : undefined;
      if (stance) replies = [...replies, { ...(replies.at(-1) as Reply), stance, text: withMore(said, later), statement: said.statement }];
    }
    return { ...thread, replies };
  });
}

/** Comes back to what was refused or put off. */
const TAKING_UP = /\b(?:after all|now|let['’]?s|ok(?:ay)?|changed my mind|go ahead|you (?:can|may)|do)\b|现在|可以|还是|就|改用/i;

/** What a sentence makes of what was settled; undefined: it is about something else, or says the same again. */
function turnOf(said: Said, { offer, option }: Thread, replies: readonly Reply[], words: Words): Reply['stance'] | undefined {
  const { stance, text } = replies.at(-1) as Reply;
  const taken = stance === 'accepted' || stance === 'answered';
  const about = new Set([...(option?.about ?? offer.about), ...subjects(text)]);
  for (const clause of clauses(said.text)) {
    const own = subjects(clause.replace(words.taking_back, ' '));
    if (!own.size || likeness(own, about) < ALIKE || own.size > about.size * 2) continue;
    const now = stanceOf(clause, words);
    if (taken && words.taking_back.test(clause) && now !== 'postponed') return 'refused';
    if (taken && now === 'postponed') return 'postponed';
    if (!taken && stance !== 'waits' && now === 'accepted' && TAKING_UP.test(said.text)) return 'accepted';
  }
  return undefined;
}

/** With the sentences right behind it, which say why or what instead. */
function withMore(said: Said, all: readonly Said[]): string {
  const at = all.indexOf(said);
  let end = said.end;
  for (const next of all.slice(at + 1, at + 3)) {
    if (next.statement !== said.statement || /\n\s*\n/.test(said.statement.text.slice(end, next.start))) break;
    end = next.end;
  }
  return said.statement.text.slice(said.start, end);
}
