import { ALIKE, ALL, ANY, about, decides, differs, everything, type Held, keysOf, replaces, sameSubjects, shared, valued, valueKey } from './held.ts';
import { likeness } from './likeness.ts';
import type { Remark } from './remarks.ts';
import type { Value } from './values.ts';

/** What the user has said so far, clause by clause, and what has replaced what. */
export class Standing {
  /** by kind of value and by subject, the clauses that still hold */
  readonly #by = new Map<string, Set<Held>>();
  readonly #gone = new Map<Held, Remark>();
  #last: Held[] = [];

  /** What has been replaced, with the remark that stands in its place now. */
  replaced(): ReadonlyMap<Held, Remark> {
    return this.#gone;
  }

  /** Takes in the next remark: first what it replaces, then itself. */
  add(remark: Remark): void {
    const mine = remark.clauses.map((clause): Held => ({ remark, clause, about: about(clause, remark) }));
    if (remark.allOfIt && !remark.dropped.length && this.#last[0]) this.#drop(this.#last, remark);
    if (remark.sets)
      for (const held of mine) {
        this.#values(held);
        this.#settings(held);
      }
    for (const subject of remark.dropped) this.#named(subject, remark);
    if (remark.lifts) for (const held of mine) this.#lifted(held);
    if (remark.back.size) this.#restored(remark);
    if (remark.mistaken) this.#corrected(remark);
    for (const held of mine) this.#keep(held);
    this.#last = mine;
  }

  #keep(held: Held): void {
    for (const key of keysOf(held)) {
      const known = this.#by.get(key);
      if (known) known.add(held);
      else this.#by.set(key, new Set([held]));
    }
  }

  #drop(all: Iterable<Held>, by: Remark): void {
    for (const held of [...all]) {
      if (held.remark === by) continue;
      this.#gone.set(held, by);
      for (const key of keysOf(held)) this.#by.get(key)?.delete(held);
    }
  }

  /** "Use port 9090" after "use port 8080". */
  #values(held: Held): void {
    for (const value of held.clause.values) {
      const [one, ...more] = held.clause.values.filter(({ type, value: name }) => type === value.type && name !== value.value);
      // Two names of a kind in one clause: "memcached instead of redis" is told by what it gives up.
      if (one || more.length || held.clause.negative || !decides(held, value)) continue;
      const others = [...this.#valued(value.type, held.about)].filter((other) => differs(other.clause, value, held.remark.change));
      const found = others.filter((other) => replaces(held, other));
      // Without a purpose it could mean any of several.
      const sure = held.about.size || found.length < 2 ? found : [];
      this.#drop(sure, held.remark);
      if (sure.length) this.#reinstate(held, value);
    }
  }

  /** Clauses with a value of the type that could be about the same thing. */
  #valued(type: string, subject: ReadonlySet<string>): Set<Held> {
    const keys = subject.size ? ['', ...subject].map((word) => valueKey(type, word)) : [valueKey(type, ANY)];
    return new Set(keys.flatMap((key) => [...(this.#by.get(key) ?? [])]));
  }

  /** Who returns to a value makes the sentence hold again that had set it first. */
  #reinstate(held: Held, value: Value): void {
    for (const [other] of this.#gone)
      if (other.clause.values.some((one) => one.type === value.type && one.value === value.value) && replaces(held, other)) {
        this.#gone.delete(other);
        this.#keep(other);
      }
  }

  /** "Call it B instead": a value of no known kind, for what already had one. */
  #settings(held: Held): void {
    const { setting } = held.clause;
    if (!setting || !held.remark.change || held.clause.negative) return;
    this.#drop(
      this.#sharing(setting.slot).filter(
        ({ clause }) => clause.setting && !clause.negative && clause.setting.value !== setting.value && sameSubjects(clause.setting.slot, setting.slot),
      ),
      held.remark,
    );
  }

  /** "Forget X", "not X any more": X makes up what the earlier clause is about, or is the value that it chose. */
  #named(subject: ReadonlySet<string>, by: Remark): void {
    // "Forget X, it is broken" says nothing of what X was for.
    const naming = by.forgets ? by.clauses.filter((clause) => [...subject].every((word) => everything(clause).has(word))) : by.clauses;
    const purpose = new Set(naming.flatMap((clause) => [...clause.topic]).filter((word) => !subject.has(word)));
    this.#drop(
      [...this.#sharingAny(subject)].filter((held) => {
        const { clause } = held;
        if (clause.negative) return false;
        const all = everything(clause);
        if (![...subject].every((word) => all.has(word))) return false;
        const others = [...all].filter((word) => !subject.has(word));
        if (by.forgets && held.remark.said.statement === by.said.statement) return true;
        const chosen = others.length <= subject.size || valued(clause).some((word) => subject.has(word));
        return chosen && (!purpose.size || !others.length || others.some((word) => purpose.has(word)));
      }),
      by,
    );
  }

  /** "You may change X now" after "do not change X". */
  #lifted(held: Held): void {
    const subject = everything(held.clause);
    if (held.clause.negative || !subject.size) return;
    this.#drop(
      this.#sharing(subject).filter(({ clause }) => clause.negative && clause.topic.size > 0 && [...everything(clause)].every((word) => subject.has(word))),
      held.remark,
    );
  }

  /** "Go back to X": what had replaced X is replaced, and X holds again. */
  #restored(by: Remark): void {
    for (const [held, later] of [...this.#gone]) {
      if (later === by || ![...by.back].every((word) => everything(held.clause).has(word))) continue;
      const between = [...(this.#by.get(ALL) ?? [])].filter(({ remark }) => remark === later);
      this.#drop(between, by);
      this.#gone.delete(held);
      this.#keep(held);
    }
  }

  /** "No, I meant the staging one": of what was said right before, the clause that is most like it. */
  #corrected(by: Remark): void {
    const subject = new Set(by.clauses.flatMap((clause) => [...everything(clause)]));
    const alike = this.#last.filter((held) => !this.#gone.has(held) && shared(everything(held.clause), subject) > 0);
    const most = Math.max(...alike.map((held) => likeness(everything(held.clause), subject)));
    const best = alike.filter((held) => likeness(everything(held.clause), subject) === most);
    if (most >= ALIKE && best.length === 1) this.#drop(best, by);
  }

  #sharing(subject: ReadonlySet<string>): Held[] {
    return [...this.#sharingAny(subject)];
  }

  #sharingAny(subject: ReadonlySet<string>): Set<Held> {
    return new Set([...subject].flatMap((word) => [...(this.#by.get(word) ?? [])]));
  }
}
