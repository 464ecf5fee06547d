import type { Evidence } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { isQuestion } from './binds.ts';
import { likeness, subjects } from './likeness.ts';
import type { Thread } from './proposals.ts';
import type { Reply } from './replies.ts';
import { type Said, saidIn } from './said.ts';
import { clauses, stanceOf } from './stance.ts';

/** How much of what a clause is about has to be what was settled. */
const ALIKE = 0.5;
/** Comes back to what was refused or put off. */
const TAKING_UP = /\b(?:after all|now|let['’]?s|ok(?:ay)?|changed my mind|go ahead|you (?:can|may)|do)\b|现在|可以|还是|就|改用/i;

/** The threads, with what the user said later to the contrary: "actually no, drop the cache", "ok, let's do the SMS now". */
export function reversals(threads: readonly Thread[], { statements }: Evidence, words: Words): Thread[] {
  const settled = threads.map((thread) => new Settled(thread));
  const recent = new Recent(settled);
  for (const statement of statements) {
    if (statement.by !== 'user') continue;
    recent.upTo(statement.n);
    if (!words.taking_back.test(statement.text) && !TAKING_UP.test(statement.text)) continue;
    const said = saidIn(statement, words);
    said.forEach((one, at) => {
      if (!isQuestion(one.text, words)) turn(one, said.slice(at + 1, at + 1 + MORE), recent, words);
    });
  }
  return settled.map(({ thread, replies }) => ({ ...thread, replies }));
}

/** Of threads about one subject, so many are looked at. */
const KEPT = 40;

/** Threads by subject, the latest of each, as far as the session has come. */
class Recent {
  readonly #coming: Settled[];
  readonly #bySubject = new Map<string, Settled[]>();

  constructor(settled: readonly Settled[]) {
    this.#coming = settled.toSorted((a, b) => b.from - a.from);
  }

  /** Takes in what was settled before a statement. */
  upTo(n: number): void {
    while ((this.#coming.at(-1)?.from ?? n) < n) {
      const one = this.#coming.pop() as Settled;
      for (const word of one.about) {
        const known = this.#bySubject.get(word) ?? [];
        known.push(one);
        this.#bySubject.set(word, known.length > 2 * KEPT ? known.slice(-KEPT) : known);
      }
    }
  }

  near(about: ReadonlySet<string>): Set<Settled> {
    return new Set([...about].flatMap((word) => this.#bySubject.get(word) ?? []));
  }
}

/** A thread, as the user last left it. */
class Settled {
  readonly thread: Thread;
  readonly replies: Reply[];
  readonly about: ReadonlySet<string>;
  /** number of the statement that settled it first */
  readonly from: number;

  constructor(thread: Thread) {
    this.thread = thread;
    this.replies = [...thread.replies];
    this.from = thread.replies[0]?.statement.n ?? 0;
    this.about = new Set([...(thread.option?.about ?? thread.offer.about), ...thread.replies.flatMap(({ text }) => [...subjects(text)])]);
  }
}

/** Sentences behind it that say why, or what instead. */
const MORE = 2;

function turn(said: Said, behind: readonly Said[], recent: Recent, words: Words): void {
  for (const clause of clauses(said.text)) {
    const own = subjects(clause.replace(words.taking_back, ' '));
    for (const settled of recent.near(own)) {
      const last = settled.replies.at(-1) as Reply;
      if (last.statement.at.order >= said.statement.at.order || likeness(own, settled.about) < ALIKE || own.size > settled.about.size * 2) continue;
      const stance = stanceAfter(last.stance, clause, said, words);
      if (stance) settled.replies.push({ ...last, stance, text: withMore(said, behind), statement: said.statement });
    }
  }
}

/** What a clause makes of what was settled; undefined: it says the same again, or nothing to it. */
function stanceAfter(before: Reply['stance'], clause: string, said: Said, words: Words): Reply['stance'] | undefined {
  const now = stanceOf(clause, words);
  if (before === 'accepted' || before === 'answered') {
    if (now === 'postponed') return 'postponed';
    return words.taking_back.test(clause) ? 'refused' : undefined;
  }
  return before !== 'waits' && now === 'accepted' && TAKING_UP.test(said.text) ? 'accepted' : undefined;
}

function withMore(said: Said, behind: readonly Said[]): string {
  const { text } = said.statement;
  let end = said.end;
  for (const next of behind) {
    if (/\n\s*\n/.test(text.slice(end, next.start))) break;
    end = next.end;
  }
  return text.slice(said.start, end);
}
