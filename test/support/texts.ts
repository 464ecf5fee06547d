/** The kinds of text that fill a coding session, made up from a stream of numbers in [0, 1). */
export interface Maker {
  random: () => number;
  /** folder that absolute paths begin with */
  project: string;
}

const PROSE =
  'the|a|this|that|file|function|test|now|I|we|should|because|error|value|returns|when|user|session|record|first|line|which|reads|writes|module|config|is|was|not|only|also|then|and|or|with|from|into|after|before|each|request|response|server|client|key|budget|cache|commit|branch|type|interface|parser|buffer|stream|field|check|fails|passes|fix|change|update|look|see|run|build|ran|made|keeps|drops|handles|edge|case|empty|missing|default|option|flag|path|folder|does|call|still|there|more|than|between|through|without|once|again|every|under|next|both|same|other|old|new|会话|文件|错误'.split(
    '|',
  );
const NAMES =
  'value|index|record|stream|buffer|offset|length|session|user|options|config|request|response|result|error|line|lines|path|file|files|token|cache|cacheKey|entry|entries|item|items|state|parser|writer|reader|client|server|handler|callback|context|payload|header|headers|schema|field|fields|name|names|input|output|event|events|node|child|parent|root|branch|commit|ref|refs|key|keys|map|set|list|queue|total|count|size|limit|start|end|from|to|left|right|text|message|level|logger|timer|delay|retries|attempt|userId|column|row|width|height|status|reason|source|target|scope|match|prefix|suffix'.split(
    '|',
  );
const VERBS =
  'get|set|read|write|parse|make|find|load|store|open|close|check|apply|merge|split|build|run|create|remove|update|resolve|encode|decode|validate'.split('|');
const FOLDERS = 'src|lib|test|packages|core|server|client|utils|components|api|store|hooks|models|routes|services|internal|types|fixtures'.split('|');
const EXTENSIONS = ['ts', 'ts', 'ts', 'tsx', 'js', 'json', 'md', 'py', 'go', 'rs', 'css', 'yml'];
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export const below = ({ random }: Maker, n: number): number => Math.floor(random() * n);
export const pick = <T>(made: Maker, list: readonly T[]): T => list[below(made, list.length)] as T;
const times = (n: number, one: () => string): string[] => Array.from({ length: n }, one);
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

export const drawn = (made: Maker, alphabet: string, count: number): string => times(count, () => alphabet.charAt(below(made, alphabet.length))).join('');
export const hex = (made: Maker, count: number): string => drawn(made, '0123456789abcdef', count);
export const uuid = (made: Maker): string => [8, 4, 4, 4, 12].map((n) => hex(made, n)).join('-');

const call = (made: Maker): string => pick(made, VERBS) + capital(pick(made, NAMES));
export const relativePath = (made: Maker): string =>
  `${times(1 + below(made, 3), () => pick(made, FOLDERS)).join('/')}/${pick(made, NAMES)}-${pick(made, NAMES)}.${pick(made, EXTENSIONS)}`;
const absolutePath = (made: Maker): string => `${made.project}/${relativePath(made)}`;

export function prose(made: Maker): string {
  const sentence = (): string => {
    const words = times(6 + below(made, 14), () => (made.random() < 0.08 ? `\`${call(made)}\`` : pick(made, PROSE)));
    return `${capital(words.join(' '))}${pick(made, ['.', '.', '.', ':', '?'])}`;
  };
  return times(2 + below(made, 6), sentence).join(pick(made, [' ', ' ', '\n\n- ']));
}

function codeLine(made: Maker): string {
  const [a, b, c] = [pick(made, NAMES), pick(made, NAMES), pick(made, NAMES)];
  return pick(made, [
    () => `const ${a} = await ${call(made)}(${b}, { ${c}: ${below(made, 9999)} });`,
    () => `if (${a}.${b} === undefined) return ${call(made)}(${c});`,
    () => `export function ${call(made)}(${a}: ${capital(b)}, ${c} = ${below(made, 100)}): ${capital(c)} {`,
    () => `  ${a}.${b} = ${c} ?? '${pick(made, PROSE)} ${pick(made, PROSE)}';`,
    () => `import { ${a}, ${b} } from '../${relativePath(made)}';`,
    () => `  // ${times(7, () => pick(made, PROSE)).join(' ')}`,
    () => `  expect(${a}.${call(made)}(${b})).toEqual({ ${c}: [${below(made, 90)}, ${below(made, 90)}] });`,
    () => `  for (const [${a}, ${b}] of Object.entries(${c})) ${call(made)}(${a}, ${b});`,
    () => '}',
    () => '',
  ])();
}

export const code = (made: Maker): string => times(15 + below(made, 60), () => codeLine(made)).join('\n');
/** Source as an agent's reading tool numbers it. */
export const numbered = (made: Maker): string =>
  code(made)
    .split('\n')
    .map((line, i) => `${String(i + 1).padStart(6)}\t${line}`)
    .join('\n');
export const diff = (made: Maker): string => {
  const path = relativePath(made);
  const lines = times(10 + below(made, 40), () => `${pick(made, [' ', ' ', '+', '-'])}${codeLine(made)}`);
  return `diff --git a/${path} b/${path}\nindex ${hex(made, 7)}..${hex(made, 7)} 100644\n--- a/${path}\n+++ b/${path}\n@@ -${below(made, 900)},${lines.length} +${below(made, 900)},${lines.length} @@\n${lines.join('\n')}`;
};

const outputs: ((made: Maker) => string)[] = [
  (made) => `${absolutePath(made)}:${below(made, 999)}:${codeLine(made)}`,
  (made) =>
    `-rw-r--r-- 1 dev dev ${below(made, 99_999)} Mar ${1 + below(made, 28)} ${10 + below(made, 13)}:${10 + below(made, 49)} ${pick(made, NAMES)}.${pick(made, EXTENSIONS)}`,
  (made) => ` \u001b[32m✓\u001b[39m ${relativePath(made)} \u001b[2m(${below(made, 40)} tests)\u001b[22m \u001b[33m${below(made, 900)}ms\u001b[39m`,
  (made) => `    at ${call(made)} (${absolutePath(made)}:${below(made, 999)}:${below(made, 80)})`,
  (made) =>
    `2026-03-${10 + below(made, 18)}T0${below(made, 9)}:12:45.${100 + below(made, 900)}Z INFO ${pick(made, NAMES)}: ${call(made)} took ${below(made, 900)} ms, id=${uuid(made)}`,
  (made) => `${hex(made, 40)} ${times(5, () => pick(made, PROSE)).join(' ')}`,
  (made) => `  https://registry.npmjs.org/${pick(made, NAMES)}-${pick(made, NAMES)}/-/${pick(made, NAMES)}-${below(made, 9)}.${below(made, 20)}.0.tgz`,
];
/** What a command prints: lists, stack traces, test runs, logs; mostly one kind of line. */
export function output(made: Maker): string {
  const kind = pick(made, outputs);
  return times(10 + below(made, 80), () => (made.random() < 0.8 ? kind : pick(made, outputs))(made)).join('\n');
}

/** A document of settings or of an API, as JSON with white space. */
export const json = (made: Maker): string =>
  JSON.stringify(
    Object.fromEntries(
      times(4 + below(made, 20), () => `${pick(made, NAMES)}${below(made, 99)}`).map((name) => [
        name,
        pick(made, [
          () => below(made, 1e6),
          () => relativePath(made),
          () => ({ id: uuid(made), [pick(made, NAMES)]: [call(made), call(made)], enabled: made.random() < 0.5 }),
          () => `^${below(made, 20)}.${below(made, 20)}.0`,
        ])(),
      ]),
    ),
    null,
    2,
  );

/** Base64 with nothing in it. */
export const base64 = (made: Maker, bytes: number): string => {
  const block = drawn(made, LETTERS, 1024);
  return times(Math.ceil(bytes / 1024), () => {
    const cut = below(made, 1024);
    return block.slice(cut) + block.slice(0, cut);
  }).join('');
};
