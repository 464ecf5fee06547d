/** Characters of a form that the automaton looks for. */
export const ANCHOR = 12;

/** The longest run in a value, for the automaton: its last characters, since tokens of one kind begin alike. */
export function anchored(value: string, runs: RegExp): { text: string; at: number } | undefined {
  let best: RegExpExecArray | undefined;
  for (const run of value.matchAll(runs)) if (!best || run[0].length > best[0].length) best = run;
  if (!best) return undefined;
  const skipped = Math.max(0, best[0].length - ANCHOR);
  return { text: best[0].slice(skipped), at: best.index + skipped };
}

const NAMED: Record<string, string> = { '&': 'amp|AMP', '<': 'lt|LT', '>': 'gt|GT', '"': 'quot|QUOT', "'": 'apos' };
const WHITE: Record<string, string> = { '\n': '\\r?\\n|\\\\{1,16}r?\\\\{0,16}n', '\r': '\\r|\\\\{1,16}r', '\t': '\\t|\\\\{1,16}t', ' ': ' |\\+' };

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
const units = (text: string): string =>
  [...Array(text.length).keys()].map((i) => `\\\\{1,16}u${fold(text.charCodeAt(i).toString(16).padStart(4, '0'))}`).join('');
/** Digits of a number in hex, in small or capital letters. */
const fold = (hex: string): string => hex.replace(/[a-f]/g, (c) => `[${c}${c.toUpperCase()}]`);

/** A pattern for one character as it may be written: itself, with backslashes, as an escape of JSON, of a URL (also twice) or of HTML. */
function character(one: string): string {
  if (/\w/.test(one)) return one;
  const code = one.codePointAt(0) as number;
  const ways = [WHITE[one] ?? `\\\\{0,16}${escaped(one)}`, units(one)];
  // A lone surrogate has no form in a URL.
  if (!/^[\ud800-\udfff]$/.test(one)) ways.push([...Buffer.from(one)].map((byte) => `%(?:25)?${fold(byte.toString(16).padStart(2, '0'))}`).join(''));
  ways.push(`&(?:${NAMED[one] ? `${NAMED[one]}|` : ''}#0{0,4}${code}|#[xX]0{0,4}${fold(code.toString(16))});`);
  if (one === "'") ways.push(`'\\\\''`, `'"'"'`);
  return `(?:${ways.join('|')})`;
}

/** Backslashes in a row double with each level of JSON; one by one they could be matched in many ways. */
const pattern = (text: string): string =>
  text
    .match(/\\+|[^\\]/gu)
    ?.map((part) => (part.startsWith('\\') ? `(?:\\\\{${part.length},${16 * part.length}}|(?:${fold('%5c')}){${part.length}})` : character(part)))
    .join('') ?? '';

/** Matches a value in any of its written forms where its anchor stands; group 1 is what stands before the anchor. */
export function writtenForm(value: string, anchor: { text: string; at: number }): RegExp {
  return new RegExp(`(?<=(${pattern(value.slice(0, anchor.at))}))${anchor.text}${pattern(value.slice(anchor.at + anchor.text.length))}`, 'y');
}

/** How a value without a longer run of letters may be written. */
export function spellings(value: string): string[] {
  const out = new Set([value, JSON.stringify(value).slice(1, -1), value.replaceAll("'", "'\\''")]);
  if (!/[\ud800-\udfff]/.test(value)) out.add(encodeURIComponent(value)).add(new URLSearchParams({ v: value }).toString().slice(2));
  // Either case is met in the digits of an escape.
  for (const one of [...out]) out.add(one.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()));
  out.add(value.replace(/[&<>"']/g, (one) => `&${(NAMED[one] as string).split('|')[0]};`));
  out.add(value.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`));
  return [...out];
}

/** The base64 text of a value at each of its three alignments and in both alphabets, without the characters that depend on its neighbours. */
export function base64Forms(bytes: Buffer): string[] {
  const out = new Set<string>();
  for (const shift of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const inner = text.slice([0, 2, 3][shift], Math.floor(((shift + bytes.length) * 8) / 6));
    out.add(inner).add(inner.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return [...out];
}

export const hexForms = (bytes: Buffer): string[] => [bytes.toString('hex'), bytes.toString('hex').toUpperCase()];
