import type { Entry } from '#session/conversation.ts';
import { clip } from './shorten.ts';
import { isRequest } from './turns.ts';

/** What people say when they bind the agent, in English and Chinese. */
const BINDING =
  /\b(?:do not|don['’]t|never|must|mustn['’]t|not allowed|forbidden|prohibited|without|no new|no more than|only|always|avoid|make sure|keep|stick to|shall|should not|shouldn['’]t|may not|from now on|under no circumstances|untouched|at most|at least|instead of|rather than|constraint|requirement|rule)\b|不要|不能|不可|不得|不许|不准|不用|不引入|禁止|严禁|切勿|请勿|勿|别(?![的人处名墅])|必须|必需|务必|一定要|只能|只许|只用|只需|仅用|仅限|始终|总是|永远|避免|保持|限制|约束|除非/i;
/** What was decided, by whom ever. */
const DECIDING =
  /\b(?:decided|decision|we(?:['’]ll| will) (?:use|go with|keep)|i(?:['’]ll| will) use|chose|chosen|went with|instead of|root cause|turned out|conclusion|trade-?off)\b|决定|采用|改用|选用|结论|原因是|根因/i;

/** Longer sentences come from something pasted; of them what stands around the word. In UTF-16 units. */
const SENTENCE_MAX = 1000;
const AROUND = 300;

/** The sentences of requests in which the user binds the agent, in their own words, each once, in order. `skip` is left out. */
export function constraints(entries: readonly Entry[], skip: Entry | undefined): string[] {
  const found = new Set<string>();
  for (const entry of entries) {
    if (entry === skip || !isRequest(entry)) continue;
    for (const block of entry.content) if (block.type === 'text') for (const said of matching(block.text, BINDING)) found.add(said);
  }
  return [...found];
}

/** The sentences of a text in which something was decided. */
export const decisions = (text: string): string[] => matching(text, DECIDING);

function matching(text: string, words: RegExp): string[] {
  // Most texts hold none of the words: one look at the whole costs less than taking it apart.
  if (!words.test(text)) return [];
  const out: string[] = [];
  let fenced = false;
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('```')) fenced = !fenced;
    if (fenced || !words.test(line)) continue;
    for (const sentence of line.split(/(?<=[.!?]\s)|(?<=[。！？；])/)) {
      const at = sentence.search(words);
      if (at < 0) continue;
      const trimmed = sentence.length <= SENTENCE_MAX ? sentence.trim() : around(sentence, at);
      if (trimmed) out.push(trimmed);
    }
  }
  return out;
}

function around(text: string, at: number): string {
  let from = Math.max(0, at - AROUND);
  if (/[\udc00-\udfff]/.test(text.charAt(from))) from++;
  return `…${clip(text.slice(from), 2 * AROUND).trim()}…`;
}
