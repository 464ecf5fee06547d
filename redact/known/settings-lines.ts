/** A name and the value that a settings file gives it. */
export type Pair = readonly [name: string, value: string];

/**
 * The name at the beginning of a line and what separates it from its value: `NAME=`, `export NAME=`, `name: `, `- name: `, `"name": `,
 * `//registry.example/:_authToken=`.
 */
const NAME = /[ \t]{0,80}(?:(?:export|set|-)[ \t]{1,8}|\$env:)?["']?([^\s"'#;=]{1,200}?)["']?[ \t]{0,80}(?:=|:(?=[ \t\r\n]|$))[ \t]{0,80}/y;
const QUOTES = ['"""', "'''", '"', "'", '`'];
/** A quoted value may go over several lines. In UTF-16 units. */
const QUOTED_MAX = 8000;

/** Names and values of an environment file, an INI file, a TOML file, or of the plain lines of a YAML file. */
export function settingsPairs(text: string): Pair[] {
  const out: Pair[] = [];
  for (let at = 0; at < text.length; ) {
    NAME.lastIndex = at;
    const match = NAME.exec(text);
    if (!match) {
      at = lineEnd(text, at) + 1;
      continue;
    }
    const start = at + match[0].length;
    const quoted = quotedAt(text, start);
    const end = quoted ? quoted.end : lineEnd(text, start);
    for (const value of quoted ? quoted.values : [bare(text.slice(start, end))]) if (value) out.push([lastPart(match[1] as string), value]);
    at = lineEnd(text, end) + 1;
  }
  return out;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** `//registry.example/:_authToken` -> `_authToken` */
const lastPart = (name: string): string => /[^:/]*$/.exec(name.replace(/:$/, ''))?.[0] || name;

/** A comment needs a space before it. */
const bare = (text: string): string => text.replace(/[ \t]#.*$/, '').replace(/[\s,;]+$/, '');

/** A quoted value as it is meant, and as it stands where that is another. */
function quotedAt(text: string, start: number): { values: string[]; end: number } | undefined {
  const quote = QUOTES.find((one) => text.startsWith(one, start));
  if (!quote) return undefined;
  const from = start + quote.length;
  for (let end = text.indexOf(quote, from); end >= 0 && end - from <= QUOTED_MAX; end = text.indexOf(quote, end + 1)) {
    if (quote.startsWith('"') && isEscaped(text, end)) continue;
    const raw = text.slice(from, end);
    const values = quote.startsWith('"') && raw.includes('\\') ? [unescaped(raw), raw] : [raw];
    return { values: values.map((value) => value.trim()), end: end + quote.length };
  }
  return undefined;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text.charCodeAt(at - 1 - slashes) === 92) slashes++;
  return slashes % 2 === 1;
}

const MEANING: Record<string, string> = { n: '\n', r: '\r', t: '\t' };
const unescaped = (text: string): string => text.replace(/\\([\s\S])/g, (_, char: string) => MEANING[char] ?? char);
