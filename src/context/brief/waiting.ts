import type { Evidence, Statement } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { isQuestion } from './binds.ts';
import { cite } from './cite.ts';
import { likeness, subjects } from './likeness.ts';
import { haveAnswered, meansSomebody, othersIn } from './others.ts';
import { piecesOf } from './pieces.ts';
import { type Said, saidIn } from './said.ts';
import { stanceOf } from './stance.ts';
import type { Point } from './value.ts';

/** Sentences that follow one another and say what is waited for, or what was put off. */
interface Wait {
  statement: Statement;
  start: number;
  end: number;
  /** who has to answer; empty: it was only put off */
  others: Set<string>;
}

/**
 * What waits for somebody else or was put off by the user, verbatim with who it is; of the assistant's last message what names somebody the user did not.
 * Not what a later statement answers or takes up again.
 */
export function waiting(evidence: Evidence, words: Words): Point[] {
  const { statements } = evidence;
  const said = statements.filter(({ by }) => by === 'user').map((statement) => saidIn(statement, words));
  const later = new Later(said.flat(), words);
  const waits = said.flatMap((all) => waitsIn(all, words)).filter((wait) => !later.settles(wait));
  const last = statements.at(-1);
  const known = new Set(waits.flatMap(({ others }) => [...others]));
  const told =
    last?.by === 'assistant' ? waitsIn(sentencesOf(last), words).filter(({ others }) => others.size && ![...others].some((one) => known.has(one))) : [];
  return [...waits, ...told].map(({ statement, start, end }) => ({
    text: statement.text.slice(start, end),
    cites: [cite.statement(statement)],
    origin: statement.by,
    mark: '',
  }));
}

const sentencesOf = (statement: Statement): Said[] => piecesOf(statement.text).map(({ text, start, end }) => ({ statement, text, start, end }));

function waitsIn(all: readonly Said[], words: Words): Wait[] {
  const waits: Wait[] = [];
  let [last, lastKind]: [number, string | undefined] = [-2, undefined];
  all.forEach((said, at) => {
    const kind = kindOf(said.text, words);
    if (!kind || isQuestion(said.text, words)) return;
    const current = last === at - 1 && lastKind === kind ? waits.at(-1) : undefined;
    const own = othersIn(said.text);
    if (current) {
      current.end = said.end;
      for (const one of own) current.others.add(one);
    } else {
      // "She gets back to me on Thursday": who she is, the sentence before says.
      const before = kind === 'others' && !own.size ? all[at - 1] : undefined;
      const others = before ? othersIn(before.text) : own;
      if (kind === 'others' && !others.size) return;
      waits.push({ statement: said.statement, start: before?.start ?? said.start, end: said.end, others: kind === 'others' ? others : new Set() });
    }
    [last, lastKind] = [at, kind];
  });
  return waits;
}

function kindOf(text: string, words: Words): 'others' | 'later' | undefined {
  const bare = text.replace(words.casual, '_');
  if ((words.third_person.test(bare) || words.waiting.test(bare)) && (othersIn(text).size || meansSomebody(text)) && !hasAnswered(text)) return 'others';
  return stanceOf(text, words) === 'postponed' || words.putting_off.test(bare) ? 'later' : undefined;
}

/** "I just asked Jonas: the export is written at 04:15." */
const hasAnswered = (text: string): boolean => /\b(?:asked|wrote|checked|talked|spoke)\b[^.]{1,60}[:：]\s*\S/i.test(text);

/** How much of what was put off a later order has to name. */
const ALIKE = 0.5;

/** What the user says in all, to look up what settles something: the answer of whom it waits for, or an order to do it now. */
class Later {
  readonly #answers: Said[] = [];
  /** by subject */
  readonly #orders = new Map<string, { said: Said; about: ReadonlySet<string> }[]>();
  readonly #words: Words;

  constructor(all: readonly Said[], words: Words) {
    this.#words = words;
    for (const said of all) {
      if (isQuestion(said.text, words)) continue;
      if (words.brought.test(said.text)) this.#answers.push(said);
      if (stanceOf(said.text, words) === 'accepted') this.#order(said);
    }
  }

  #order(said: Said): void {
    const about = subjects(said.text);
    for (const word of about) {
      const known = this.#orders.get(word);
      if (known) known.push({ said, about });
      else this.#orders.set(word, [{ said, about }]);
    }
  }

  settles({ statement, start, end, others }: Wait): boolean {
    if (others.size) return this.#answers.some((said) => said.statement.n > statement.n && haveAnswered(said.text, others, this.#words.brought));
    const about = subjects(statement.text.slice(start, end).replace(this.#words.putting_off, ' '));
    return [...about].some((word) => this.#orders.get(word)?.some(({ said, about: own }) => said.statement.n > statement.n && likeness(own, about) >= ALIKE));
  }
}
