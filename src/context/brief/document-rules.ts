import type { Statement } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { cite } from './cite.ts';
import { isMachineLine } from './machine.ts';
import type { OwnWords } from './own-words.ts';
import { type Sentence, sentences } from './sentences.ts';
import type { Point } from './value.ts';

/** In a document only what is put as a rule counts: what it tells its own readers to do is no order of the user. */
const RULE =
  /\b(?:must|shall|should|required to|may not|cannot|can not|has to|have to|needs? to|is not allowed|are not allowed|not permitted|prohibited|forbidden|mandatory|at most|at least|no more than|no less than|not exceed|never|always|only)\b|必须|必需|应当|应该|须|不得|不能|不可|禁止|严禁|不允许|只能|仅|不超过|至少|至多|最多|以内|一律|应(?=[在由为使支提返保以])/i;

/** Rules of pasted documents. Where the user has named a part anywhere, and it has rules, those of the other parts were not asked for. */
export function documentRules(all: readonly { statement: Statement; parts: OwnWords }[], words: Words): Point[] {
  if (!all.some(({ parts }) => parts.pasted.some((part) => part.kind === 'document'))) return [];
  const named = scopeOf(all.flatMap(({ parts }) => parts.own.map((part) => part.text)).join('\n'));
  return all.flatMap(({ statement, parts }) => {
    const rules = parts.pasted.filter((part) => part.kind === 'document').flatMap((part) => rulesIn(part.text, named, words));
    const asked = rules.some((rule) => rule.within) ? rules.filter((rule) => rule.within) : rules;
    return asked.map(({ text }): Point => {
      const at = cite.statement(statement);
      return { text, cites: [at], origin: 'document', mark: `from the pasted document (${at})` };
    });
  });
}

function rulesIn(text: string, named: readonly RegExp[], words: Words): { text: string; within: boolean }[] {
  const path: { depth: number; within: boolean }[] = [];
  const out: { text: string; within: boolean }[] = [];
  const front = /^---\n[\s\S]{0,4000}?\n---\n/.exec(text)?.[0].length ?? 0;
  for (const one of sentences(text)) {
    if (one.start < front) continue;
    if (one.kind === 'heading') enter(path, one, text, named);
    else if (
      one.kind !== 'code' &&
      !isIndented(text, one.start) &&
      !isMachineLine(one.text) &&
      RULE.test(one.text.replace(words.casual, '_')) &&
      !/[?？]$/.test(one.text)
    )
      out.push({ text: one.text, within: path.some((part) => part.within) });
  }
  return out;
}

/** A line of an example: Markdown takes so much space at its beginning for code. */
const isIndented = (text: string, at: number): boolean => /^(?: {4,}|\t\s*)$/.test(text.slice(text.lastIndexOf('\n', at - 1) + 1, at));

/** A part of a part that was named was named, too. */
function enter(path: { depth: number; within: boolean }[], heading: Sentence, text: string, named: readonly RegExp[]): void {
  const depth = /#*\s*$/.exec(text.slice(Math.max(0, heading.start - 12), heading.start))?.[0].trim().length ?? 1;
  while (path.length && (path.at(-1) as { depth: number }).depth >= depth) path.pop();
  path.push({ depth, within: named.some((one) => one.test(heading.text)) });
}

const NUMBERED =
  /(?:\b(?:section|chapter|part|clause|paragraph|step)s?|§|第)\s*(\d{1,2}(?:\.\d{1,2})*|[一二三四五六七八九十]{1,3})|(?<![\d.])(\d{1,2}(?:\.\d{1,2}){1,3})(?![\d.]|\s*(?:%|ms|s\b|[kmg]b))/gi;
const TITLED =
  /(?:only|just|implement|do|build|start with|limited to)(?: the)? ["“']?([\w /-]{3,40}?)["”']? (?:part|section|chapter|bit|stuff|piece)\b|(?:只|仅|先)(?:做|看|实现|改|管|要)?[“"「]?([\u3400-\u9fffA-Za-z0-9 ]{2,16}?)[”"」]?(?:部分|一节|这节|章节|这块|那块|一章)/gi;

/** What the headings begin with, or hold, of the parts that the user has named. */
function scopeOf(own: string): RegExp[] {
  const numbers = [...own.matchAll(NUMBERED)].map((match) => (match[1] ?? match[2]) as string);
  const titles = [...own.matchAll(TITLED)].map((match) => ((match[1] ?? match[2]) as string).trim()).filter((title) => !/^\d/.test(title));
  return [
    ...[...new Set(numbers)].map(
      (number) => new RegExp(`^(?:section |chapter |part |§ ?|第)?${number.replaceAll('.', '\\.')}(?![\\d])(?:[.、章节部 :：]|$)`, 'i'),
    ),
    ...[...new Set(titles)].map((title) => new RegExp(title.replace(/[^\w\u3400-\u9fff]+/g, '.{0,3}'), 'i')),
  ];
}
