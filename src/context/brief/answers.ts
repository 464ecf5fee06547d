import type { Evidence, Statement } from '#context/evidence/evidence.ts';
import type { Words } from '#context/words/index.ts';
import { cite, quote } from './cite.ts';
import { type Sentence, sentences } from './sentences.ts';
import type { Point } from './value.ts';

/** An answer is short; what is longer says for itself what it is about. In UTF-16 units. */
const ANSWER_MAX = 400;
/** Questions stand at the end of what was said. */
const ASKED_MAX = 3;
/** A reply that needs what it replies to in order to be understood. */
const REPLY =
  /^(?:(?:yes|yep|yeah|no|nope|nah|sure|right|correct|exactly|ok(?:ay)?|fine|agreed|both|neither|none|either|all|the (?:first|second|third|last|latter|former|other)|option|variant|plan|go (?:with|for)|keep|leave|use|take|do|don['’]?t|not|only|just|per|with|without|for|send|(?:\(|#)?[1-9a-dA-D](?:\)|\b))(?![\w-])|(?:是|不|好|对|可以|行|要|用|选|都|先|就|第|方案|按|[一二三四12345ABCDabcd](?:[，,。.、 ]|$)))/i;
/** Asks nothing of its own. */
const IDLE =
  /anything else|(?:shall|should|do you want me to|want me to|would you like me to) (?:i )?(?:continue|proceed|go on|start|begin)\b[^,;]{0,20}\?|let me know|还(?:有|需要)[^，。]{0,12}吗|(?:要|需要我|是否)?继续吗|可以开始吗/i;

/** Answers to what was asked or proposed, by the number of the statement: with what they answer, since "2, but keep the name" says nothing alone. */
export function answers(evidence: Evidence, words: Words): Map<number, Point> {
  const out = new Map<number, Point>();
  let before: Statement | undefined;
  for (const statement of evidence.statements) {
    const found = statement.by === 'user' ? (asked(evidence, statement) ?? (before && replied(before, statement, words))) : undefined;
    if (found) out.set(statement.n, found);
    before = statement.by === 'assistant' ? statement : undefined;
  }
  return out;
}

/** What a person chose in a question of the client itself. */
function asked(evidence: Evidence, statement: Statement): Point | undefined {
  if (statement.operation === undefined) return undefined;
  const operation = evidence.operations.find((one) => one.n === statement.operation);
  const questions = operation?.actions.flatMap((action) => (action.kind === 'ask' ? action.questions : [])) ?? [];
  if (!operation || !questions.length) return undefined;
  const quoted = questions.filter((one) => !statement.text.includes(one.text)).map((one) => quote(one.text));
  return pointOf(quoted, statement, [cite.statement(statement), cite.operation(operation)]);
}

function replied(before: Statement, statement: Statement, words: Words): Point | undefined {
  const text = statement.text.trim();
  if (!text || text.length > ANSWER_MAX) return undefined;
  const all = sentences(before.text).filter((one) => one.kind !== 'code');
  const questions = all.filter((one) => /[?？]["”*_)）]*$/.test(one.text) || (one === all.at(-1) && /[:：]$/.test(one.text)));
  const options = optionsOf(before.text);
  const open = questions.filter((one) => !IDLE.test(one.text)).slice(-ASKED_MAX);
  if (!open.length && !options.size) return undefined;
  if (!REPLY.test(text) || (words.small_talk.test(text) && !open.length)) return undefined;
  const chosen = [...choices(text)].map((mark) => options.get(mark)).filter((one) => one !== undefined);
  const quoted = (open.length ? open : proposals(all)).map((one) => quote(withReference(before.text, all, one)));
  return pointOf([...quoted, ...chosen.map(quote)], statement, [cite.statement(before), cite.statement(statement)]);
}

/** "Shall I?" asks about what was said before it. In UTF-16 units. */
const BARE_MAX = 40;

function withReference(text: string, all: readonly Sentence[], question: Sentence): string {
  const before = all[all.indexOf(question) - 1];
  return question.text.length < BARE_MAX && before?.kind === question.kind ? text.slice(before.start, question.end) : question.text;
}

const proposals = (all: readonly Sentence[]): Sentence[] => all.filter((one) => one.kind === 'prose').slice(-1);

function pointOf(quoted: readonly string[], statement: Statement, cites: string[]): Point {
  const text = statement.text.trim();
  return {
    text: quoted.length ? `asked: ${[...new Set(quoted)].join(' ')}; answered: ${quote(text)}` : `answered: ${quote(text)}`,
    cites,
    origin: 'user',
    mark: '',
  };
}

const OPTION = /^\s*(?:[-*]\s+)?(?:\*\*)?(?:option|variant|plan|方案|选项)?\s*[(（]?([1-9A-Da-d一二三四])[)）.、:：]\**\s+(\S.*)$/gim;
const INLINE = /[(（]([1-9a-dA-D])[)）]\s*([^()（）\n]{2,200}?)(?=[,，;；]?\s*(?:or|and|或|或者|还是)?\s*[(（][1-9a-dA-D][)）]|[.。?？\n]|$)/gim;
const DIGITS: Readonly<Record<string, string>> = { 一: '1', 二: '2', 三: '3', 四: '4' };
const markOf = (mark: string): string => (DIGITS[mark] ?? mark).toUpperCase();

/** The options that were offered, by their number or letter. */
function optionsOf(text: string): Map<string, string> {
  const out = new Map<string, string>();
  for (const pattern of [INLINE, OPTION]) for (const match of text.matchAll(pattern)) out.set(markOf(match[1] as string), match[0].trim());
  return out;
}

/** The numbers and letters that a reply begins with or names as options. */
function* choices(reply: string): Generator<string> {
  const first = /^[(（#]?([1-9A-Da-d一二三四])(?![\w'’.]\w|\w)[)）]?/.exec(reply)?.[1];
  if (first !== undefined) yield markOf(first);
  for (const match of reply.matchAll(/(?:option|variant|plan|number|方案|选项?|第)\s*([1-9A-Da-d一二三四])(?![\w])/gi)) yield markOf(match[1] as string);
}
