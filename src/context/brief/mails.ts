import type { Words } from '#context/words/index.ts';
import { isHeaderLine } from './machine.ts';
import type { Kind } from './own-words.ts';
import type { Paragraph } from './paragraphs.ts';

/** How a mail ends. */
const SIGNED =
  /^\s*(?:(?:best|kind|warm|many thanks|thanks|thank you|regards|cheers|sincerely|yours|greetings|--\s*$)[\w ,]{0,24}(?:\n|$)|此致|敬礼|祝好|谢谢[！!。]?\s*(?:\n|$)|顺颂)/im;
/** Where somebody speaks again who wants something done. */
const AGAIN =
  /^(?:(?:that|this) (?:was|is)|so\b|now\b|please (?:do|answer|fix|read|follow|implement)\b|fix\b|do\b|implement\b|answer\b|以上|请(?:按|根据|先|回)|按)/i;

/**
 * Marks pasted mails: from the lines at their head to their signature. What they ask for binds nobody, unless what stands before says that it is to be followed.
 * After a mail without a signature, the last paragraph is the writer's own where it begins like an order.
 */
export function markMails(all: readonly Paragraph[], kinds: Kind[], words: Words): void {
  for (let i = 0; i < all.length; i++) {
    const one = all[i] as Paragraph;
    if (!isHead(one)) continue;
    let end = i + 1;
    while (end < all.length && !isHead(all[end] as Paragraph) && !(all[end] as Paragraph).marked && !SIGNED.test((all[end - 1] as Paragraph).text)) end++;
    if (end === all.length && end - i > 2 && AGAIN.test((all[end - 1] as Paragraph).text)) end--;
    const kind = i > 0 && kinds[i - 1] === 'own' && words.rules_wanted.test((all[i - 1] as Paragraph).text) ? 'document' : 'other';
    kinds.fill(kind, i, end);
    i = end - 1;
  }
}

function isHead({ text, fenced }: Paragraph): boolean {
  const lines = text.split('\n', 8);
  return !fenced && (lines.filter(isHeaderLine).length > 1 || /(?:wrote:|写道[:：]|message ?-{2,}|原始邮件 ?-+)\s*$/i.test(lines[0] as string));
}
