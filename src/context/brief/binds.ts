import type { Words } from '#context/words/index.ts';

const CLAUSES = /[,，;；](?=\s|[^\d\s])/;

/** "No." says nothing alone. */
const BARE = /^(?:[\w'’]+|[\u3400-\u9fff]{1,2})[.!。！,，]*$/;

/** True for a question that is none but in its form: "can you keep the name?", "leave it alone, ok?". */
export function isQuestion(sentence: string, words: Words): boolean {
  const said = sentence.trim();
  if (words.tag.test(said) && CLAUSES.test(said)) return false;
  return /[?？]["”'’)）*_\s]*$/.test(said) || words.asking.test(said);
}

/**
 * Whether a sentence of the user binds the work: an order, a prohibition, a limit, a scope, a fact that has to be lived with, a decision, a correction.
 * Questions and casual uses of the same words do not.
 */
export function binds(sentence: string, words: Words): boolean {
  const said = sentence.trim();
  if (words.small_talk.test(said) || BARE.test(said)) return false;
  if (!isQuestion(said, words)) return says(said, words);
  // "can you keep the old name?" asks for it, politely.
  const polite = words.polite.exec(said);
  if (polite) {
    const asked = said.slice(polite.index + polite[0].length).trimStart();
    return says(asked.replace(/^not /i, "don't "), words);
  }
  // "don't touch the schema, but why does it fail?" holds both.
  const clauses = said.split(CLAUSES).filter((clause) => clause.trim());
  return clauses.length > 1 && clauses.slice(0, -1).some((clause) => !isQuestion(clause, words) && says(clause, words)) && !words.asking.test(said);
}

function says(said: string, words: Words): boolean {
  const bare = said.replace(words.casual, '_');
  if (words.binding.test(bare) || words.correction.test(bare)) return true;
  return words.limit.test(bare) || (words.fact.test(bare) && !words.symptom.test(bare));
}
