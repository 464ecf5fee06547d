import type { Words } from '#context/words/index.ts';
import { linesOf } from './blocks.ts';
import { isHeaderLine, isMachineLine } from './machine.ts';
import { markMails } from './mails.ts';
import { type Paragraph, paragraphs } from './paragraphs.ts';

/** A stretch of a message: `text` is `source.slice(start, end)`, in UTF-16 units. */
export interface Part {
  text: string;
  start: number;
  end: number;
}

/** A message taken apart: what its writer typed, and what was pasted into it. */
export interface OwnWords {
  own: Part[];
  /** document: rules, descriptions. other: logs, code, mails and chats, which bind nobody. */
  pasted: (Part & { kind: 'document' | 'other' })[];
}

/** Who types says it in fewer; a Chinese character counts as two. */
const TYPED_MAX = 2400;
/** So much of it, and a fence, tag or run of logged lines is no quotation of a few lines in a sentence any more. */
const BLOCK_MIN = 200;

/** Whose words a paragraph holds: see OwnWords. */
export type Kind = 'own' | 'document' | 'other';

/**
 * What a person typed in a message, and what the same message holds of a pasted document, log, mail or code. A short or medium message is the person's own as a whole,
 * whatever it begins with; so is a long one that speaks to the reader throughout. Own words may stand before, between and after.
 */
export function ownWords(text: string, words: Words): OwnWords {
  const all = paragraphs(text);
  const kinds: Kind[] = all.map((one) => (isForeign(one) ? 'other' : 'own'));
  markMails(all, kinds, words);
  if (weigh(text) > TYPED_MAX || isAnnounced(all, words)) markDocuments(all, kinds, words);
  return joined(text, all, kinds);
}

/** A short text with headings is a document where its sender calls it one. */
const isAnnounced = (all: readonly Paragraph[], words: Words): boolean =>
  all.filter((one) => one.heading).length >= 3 && all.some((one) => !one.heading && words.pasted.test(one.text));

/** Chinese says as much in half the characters. */
const weigh = (text: string): number => text.length + (text.match(/[\u3400-\u9fff]/g)?.length ?? 0);

/** What no person typed, by the shape of its lines. */
function isForeign(one: Paragraph): boolean {
  if (one.fenced) return one.text.length >= BLOCK_MIN && !one.prose;
  const lines = linesOf(one.text).filter((line) => line.text.trim());
  const machine = lines.filter((line) => isMachineLine(line.text) || isHeaderLine(line.text)).length;
  return machine >= 3 && machine * 2 >= lines.length;
}

/** Marks what belongs to pasted documents, from where one begins to where its writer speaks again. */
function markDocuments(all: readonly Paragraph[], kinds: Kind[], words: Words): void {
  for (let i = 0; i < all.length; i++) {
    if (kinds[i] !== 'own') continue;
    const begin = beginning(all, i, words);
    if (begin === undefined) continue;
    const end = ending(all, begin, words);
    if (!isDocument(all, begin, end, i !== begin || (all[begin] as Paragraph).marked, words)) continue;
    for (let k = begin; k < end; k++) if (kinds[k] === 'own') kinds[k] = 'document';
    i = end - 1;
  }
}

/** The paragraph that a document begins with, where this one announces it or is it. */
function beginning(all: readonly Paragraph[], i: number, words: Words): number | undefined {
  const one = all[i] as Paragraph;
  if (one.marked || one.heading || (one.fenced && one.prose)) return i;
  if (i + 1 >= all.length) return undefined;
  const last = one.text.slice(-400);
  return words.pasted.test(last) && /[:：]\s*$|[.。!！]\s*$/.test(one.text) ? i + 1 : undefined;
}

/** Behind the last paragraph of the document that begins at `begin`. */
function ending(all: readonly Paragraph[], begin: number, words: Words): number {
  const first = all[begin] as Paragraph;
  if (first.closed) return begin + 1;
  let lastHeading = begin;
  let end = all.length;
  for (let k = begin + 1; k < all.length; k++) {
    const one = all[k] as Paragraph;
    if (one.heading || one.marked) lastHeading = k;
    if (endsIt(one, words)) {
      end = k;
      break;
    }
  }
  if (end < all.length) return end;
  // At the end the writer may speak again, without a word about the document: behind its last heading, to the reader.
  for (let k = lastHeading + 1; k < all.length; k++) if (k > begin && speaks(all[k] as Paragraph) && !(all[k] as Paragraph).list) return k;
  return all.length;
}

/** "That was the document." */
const endsIt = (one: Paragraph, words: Words): boolean =>
  !one.heading &&
  !one.list &&
  (/^(?:(?:that|this) (?:was|is|were)(?: all| it)?\b|(?:end of|so much for) |so far the |以上(?:就?是|为)|(?:文档|需求|规格|邮件|日志|原文)(?:到此)?(?:结束|完了|就这些))/i.test(
    one.text,
  ) ||
    (words.pasted.test(one.text) && /[:：]\s*$/.test(one.text) && speaks(one)));

/** Somebody speaks to whom the message goes: of oneself, to "you", with please. */
const SPEAKS =
  /(?<![\w'’])(?:i|i['’]?(?:m|d|ll|ve)|me|my|you|your|please|pls|plz|let['’]s|can you|could you)(?![\w])|请你|请(?:先|只|按|帮|把|不要|实现|直接|注意)|帮我|麻烦|你|我(?!国|司|院|校|方)|咱/i;
/** Or orders it, in a sentence of its own. */
const ORDERS =
  /^(?:only|just|do|don['’]?t|implement|follow|start|begin|use|ignore|skip|build|fix|make|write|add|keep|now|so|that|first|then|for now)\b|^(?:只|先|按|实现|不要|别|现在|另外|其中|重点)/i;

const speaks = (one: Paragraph): boolean =>
  !one.heading && !one.fenced && !one.marked && (SPEAKS.test(one.text) || (!one.list && one.text.length < 600 && ORDERS.test(one.text)));

/** A document does not speak to the reader; a long order does, all the way through. */
const SPOKEN_MAX = 0.25;

function isDocument(all: readonly Paragraph[], begin: number, end: number, announced: boolean, words: Words): boolean {
  const part = all.slice(begin, end).filter((one) => !one.fenced || one.prose);
  const size = part.reduce((sum, one) => sum + weigh(one.text), 0);
  if (size < (announced ? TYPED_MAX / 4 : TYPED_MAX / 1.5)) return false;
  if ((all[begin] as Paragraph).marked) return true;
  const said = part.filter((one) => !one.heading);
  const spoken = said.filter((one) => SPEAKS.test(one.text)).length;
  const headings = part.filter((one) => one.heading).length;
  if (announced) return spoken <= said.length * 2 * SPOKEN_MAX || words.pasted.test(part[0]?.text ?? '');
  return headings >= 3 && spoken <= said.length * SPOKEN_MAX;
}

/** Neighbours of one kind as one part, without the white space around it. */
function joined(text: string, all: readonly Paragraph[], kinds: readonly Kind[]): OwnWords {
  const out: OwnWords = { own: [], pasted: [] };
  for (let i = 0; i < all.length; ) {
    const kind = kinds[i] as Kind;
    const { start } = all[i] as Paragraph;
    let { end } = all[i] as Paragraph;
    for (i++; i < all.length && kinds[i] === kind; i++) end = (all[i] as Paragraph).end;
    const part = { text: text.slice(start, end), start, end };
    if (kind === 'own') out.own.push(part);
    else out.pasted.push({ ...part, kind });
  }
  return out;
}
