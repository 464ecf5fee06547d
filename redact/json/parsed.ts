import type { Json } from '#lib/json.ts';
import { encode, type LiteralVisitor, literalEnd } from './literals.ts';
import { mapValue } from './walk.ts';

/** The literal of a quotation mark that is not counted as one. */
const HIDDEN_QUOTE = '\\u0022';
/** A longer number may not be written as its value is. */
const NUMBER_LONGEST = 15;

/**
 * What `mapLiterals` makes of a text, in far less time: the literals are those of the value that the text was parsed to. Undefined where a
 * value does not tell all that stands in the text (members that another one of the same name hides, long numbers, numbers to be replaced, keys that
 * a value has in another order, deep nesting); the visitor was asked in vain then.
 */
export function mapParsed(text: string, value: Json, visit: LiteralVisitor, name = ''): string | undefined {
  const inLiterals = text.includes('\\"') ? quotesIn : () => 0;
  /** by their place among the literals of the text */
  const changed = new Map<number, string>();
  let [literals, quotes] = [0, 0];
  let isOrdered = true;
  let isTold = true;
  const note = (literal: string, made: string): string => {
    if (made !== literal) changed.set(literals, made);
    literals++;
    quotes += 2 + inLiterals(literal);
    return made;
  };
  const asked: LiteralVisitor = {
    string: (one, called, path) => note(one, visit.string(one, called, path)),
    key(one, path) {
      isOrdered &&= !isDigit(one.charCodeAt(0));
      return note(one, visit.key(one, path));
    },
    scalar(raw, called, path) {
      const made = visit.scalar(raw, called, path);
      isTold &&= made === undefined && raw.length <= NUMBER_LONGEST;
      return made;
    },
    deep(one) {
      isTold = false;
      return one;
    },
  };
  mapValue(value, asked, name);
  if (!isTold || quotesIn(text) !== quotes || text.includes(HIDDEN_QUOTE)) return undefined;
  if (!changed.size) return text;
  return isOrdered ? replaced(text, changed) : undefined;
}

/** Objects have these first, whatever stands first in the text. */
const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57;

function quotesIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count++;
  return count;
}

/** The text with some of its literals replaced. */
function replaced(text: string, changed: ReadonlyMap<number, string>): string {
  let out = '';
  let copied = 0;
  let literal = 0;
  for (let at = text.indexOf('"'); at >= 0; literal++) {
    const end = literalEnd(text, at);
    const made = changed.get(literal);
    if (made !== undefined) {
      out += text.slice(copied, at) + encode(made, text.slice(at, end));
      copied = end;
    }
    at = text.indexOf('"', end);
  }
  return out + text.slice(copied);
}
