import fc from 'fast-check';
import { isObject, type Json } from '#lib/json.ts';
import type { Block, Draft } from '#session/record.ts';

/** JSON texts that do not come back from parsing and serialising as they were, and those that hide traps although they do. */
const number = fc.constantFrom(
  '0',
  '-0',
  '1.0',
  '1e2',
  '1E+2',
  '1e400',
  '-1e400',
  '12345678901234567890',
  '0.1',
  '5e-324',
  '1.7976931348623157e308',
  '9007199254740993',
);
const inString = fc.constantFrom(
  'plain text of some length',
  'a text that is long enough to be remembered and pointed at, wherever else it stands in the line',
  '=',
  '==',
  '=3',
  '=.1',
  '=o2',
  '=j2',
  '=d1',
  ['$', '{HOME}/x'].join(''),
  ['$', '{PROJECT}'].join(''),
  'é中文😀',
  '\\u00e9\\u0041',
  '\\ud800',
  '\\udc00 \\ud83d\\ude00',
  '\\ud83d',
  '\\u0000\\u001f\\b\\f\\n\\r\\t',
  '\\/',
  '\u2028\u2029',
  '\ufeff',
  '~0~1/ ',
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQ',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQ',
  '{\\"a\\":1,\\"b\\":[true,null]}',
);
const string = fc.oneof(
  { weight: 3, arbitrary: fc.array(inString, { maxLength: 3 }).map((parts) => `"${parts.join('')}"`) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }).map((text) => JSON.stringify(text)) },
);
const key = fc.oneof(
  fc.constantFrom(
    '"__proto__"',
    '"constructor"',
    '"toString"',
    '"1"',
    '"0"',
    '"-1"',
    '"4294967295"',
    '""',
    '"a"',
    '"type"',
    '"data"',
    '"content"',
    '"native"',
    '"attached"',
    '"a/b"',
    '"~"',
    '"=x"',
    '"\\u0061"',
    '"é"',
  ),
  string,
);
const space = fc.oneof({ weight: 12, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constantFrom(' ', '\t', '\r', '  ') });

const { value } = fc.letrec<{ value: string }>((tie) => {
  const some = tie('value');
  const array = fc.tuple(fc.array(some, { maxLength: 4 }), space).map(([items, gap]) => `[${items.join(`,${gap}`)}]`);
  const object = fc
    .tuple(fc.array(fc.tuple(key, some), { maxLength: 5 }), space)
    .map(([pairs, gap]) => `{${pairs.map(([k, v]) => `${k}:${gap}${v}`).join(',')}}`);
  return { value: fc.oneof({ depthSize: 'small' }, string, number, fc.constantFrom('true', 'false', 'null', '{}', '[]'), array, object) };
});

/** JSON texts of a key, of any value, and of a string. */
export const oddJson: fc.Arbitrary<{ key: string; value: string; string: string }> = fc.record({ key, value, string });

/** A line as bytes: mostly odd JSON objects; also with BOM, CR, deep nesting, cut, not JSON, not UTF-8. */
export const oddLine: fc.Arbitrary<Buffer> = fc.oneof(
  {
    weight: 20,
    arbitrary: fc
      .tuple(fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 6 }), fc.constantFrom('', '', '', '\ufeff', ' '), fc.constantFrom('', '', '', '\r', ' '))
      .map(([pairs, before, after]) => Buffer.from(`${before}{${pairs.map(([k, v]) => `${k}:${v}`).join(',')}}${after}`)),
  },
  // The same value twice, in a form that does come back: where pointers are made.
  {
    weight: 10,
    arbitrary: fc
      .tuple(value, value)
      .map(([a, b]) =>
        Buffer.from(JSON.stringify({ first: JSON.parse(a), b: JSON.parse(b), again: [JSON.parse(a), JSON.stringify(JSON.parse(b))], a: JSON.parse(a) })),
      ),
  },
  { weight: 1, arbitrary: value.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.tuple(value, fc.nat(40)).map(([text, cut]) => Buffer.from(`{"a":${text}}`).subarray(0, cut)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes.filter((b) => b !== 10))) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }).map((n) => Buffer.from(`{"a":${'['.repeat(n)}${']'.repeat(n)}}`)) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000 }).map((n) => Buffer.from(`${'{"a":'.repeat(n)}1${'}'.repeat(n)}`)) },
);

/** Every string and container of a value, the value itself first. */
function parts(of: Json): Json[] {
  const out: Json[] = [of];
  if (typeof of === 'object' && of !== null) for (const item of Object.values(of)) out.push(...parts(item as Json));
  return out;
}

/**
 * A record as some adapter might make it of a line, sharing as much as possible with it: texts, inputs as they are and
 * as JSON, images. `pick` chooses the type of the record and where to begin.
 */
export function anyDraft(of: Json, pick: number): Draft {
  const all = parts(of);
  const chosen = all.filter((_, i) => (i + pick) % 3 !== 0).slice(0, 12);
  const blocks = chosen.map((part, i): Block => {
    if (typeof part !== 'string') return { type: 'tool_call', id: `c${i}`, name: 'Bash', input: part };
    if (/^[A-Za-z0-9+/]{8,}$/.test(part)) return { type: 'image', media_type: 'image/png', data: part };
    if (part.startsWith('{')) return { type: 'tool_result', call_id: 'c0', content: [{ type: 'text', text: part }] };
    return { type: 'text', text: part };
  });
  const parsed = chosen.find((part) => typeof part === 'string' && part.startsWith('{"a"'));
  if (typeof parsed === 'string') blocks.push({ type: 'tool_call', id: 'parsed', name: 'x', input: safeParse(parsed) });
  if (pick % 4 === 0) return { type: 'event', kind: 'unknown', data: isObject(of) ? of : { value: of } };
  if (pick % 4 === 1) return { type: 'boundary', summary: 'a summary of what was said before', view: [{ role: 'user', content: blocks }] };
  return { type: 'message', role: pick % 2 ? 'user' : 'assistant', content: blocks, id: 'an id that is long enough' };
}

function safeParse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
