import { likeness, subjects } from './likeness.ts';
import type { Offer, Option } from './offers.ts';

/** What a clause names. */
export interface Unit {
  offer: Offer;
  option: Option | undefined;
  /** by more than a word that many sentences have */
  sure: boolean;
  /** by name, or by half of what it says */
  beyondDoubt: boolean;
}

/** The offer, or the option of one, that a clause names. */
export function named(offers: readonly Offer[], clause: string): Unit | undefined {
  const about = subjects(clause);
  let found: (Unit & { score: number }) | undefined;
  for (const offer of offers)
    for (const { option, own } of unitsOf(offer, about)) {
      const count = shared(about, own);
      // A proposal comes before a question that names the same.
      const score = count + (offer.proposes ? 0.5 : 0);
      if (!count || (found && score <= found.score)) continue;
      const beyondDoubt = likeness(about, own) >= 0.5 || [...about].some((word) => own.has(word) && isName(word, clause));
      found = { offer, option, sure: count > 1 || beyondDoubt, beyondDoubt, score };
    }
  return found;
}

/** Written as nobody writes a common word: with capitals, figures or signs in it, or in Latin letters within Chinese. */
function isName(word: string, clause: string): boolean {
  if (!/^[a-z]/.test(word)) return false;
  if (/[\u3400-\u9fff]/.test(clause) || /[\d._/-]/.test(word)) return true;
  const at = clause.toLowerCase().indexOf(word);
  return at > 0 && /[A-Z]/.test(clause.slice(at, at + word.length));
}

/** What is named of an offer: an option by what the others do not say, else the offer itself. */
function unitsOf(offer: Offer, about: ReadonlySet<string>): { option: Option | undefined; own: ReadonlySet<string> }[] {
  const options = offer.options.length > 1 ? offer.options.map((option) => ({ option, own: option.own })) : [];
  return options.some(({ own }) => shared(about, own)) ? options : [{ option: undefined, own: offer.about }];
}

/** How many subjects two have in common. */
export function shared(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = 0;
  for (const word of a) if (b.has(word)) count++;
  return count;
}
