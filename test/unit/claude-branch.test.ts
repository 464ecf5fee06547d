import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry } from '#session/conversation.ts';
import type { Block } from '#session/record.ts';
import { conversation } from '../../adapters/claude-code/branch.ts';
import { claudeStreams, linesToRecords } from '../support/claude-records.ts';

const root = new URL('../fixtures/claude-code/', import.meta.url).pathname;

/** Where the view may differ from the recorded request, and why. */
const DIFFERENCES: Record<string, string> = {
  'thinking signature': 'a canonical block says only that it is sealed; the signature stands in native',
  'is_error: false': 'the canonical form says is_error only where it is true',
  'line feed after a joined text': 'the client puts one behind each user text that it joins with the next',
  'a string as content of a result': 'is a list with one text block in the canonical form',
  'the order of keys': 'means nothing in JSON',
};

interface Message {
  role: string;
  content: unknown[];
}

const isReminder = (text: string): boolean => /^\s*<system-reminder>/.test(text);

// biome-ignore lint/suspicious/noExplicitAny: blocks of the API
const media = (block: any): unknown =>
  block.type === 'image' ? { image: block.source?.media_type ?? block.media_type, data: block.source?.data ?? block.data } : { text: block.text.trimEnd() };

// biome-ignore lint/suspicious/noExplicitAny: blocks of the API
function fromApi(block: any): unknown {
  if (block.type === 'thinking') return { thinking: block.thinking };
  if (block.type === 'tool_use') return { call: block.id, name: block.name, input: block.input };
  if (block.type === 'tool_result')
    return {
      result: block.tool_use_id,
      failed: block.is_error === true,
      content: (typeof block.content === 'string' ? [{ type: 'text', text: block.content }] : block.content).map(media),
    };
  return media(block);
}

function fromView(block: Block): unknown {
  if (block.type === 'thinking') return { thinking: block.text };
  if (block.type === 'tool_call') return { call: block.id, name: block.name, input: block.input };
  if (block.type === 'tool_result') return { result: block.call_id, failed: block.is_error === true, content: block.content.map(media) };
  return media(block);
}

/** Joins neighbours of one role, as the recorded requests were reduced: no system messages, no reminders. */
function reduced(view: readonly Entry[]): Message[] {
  const out: Message[] = [];
  for (const entry of view) {
    if (entry.role === 'system') continue;
    const role = entry.role === 'assistant' ? 'assistant' : 'user';
    const content = entry.content.filter((block) => block.type !== 'text' || !isReminder(block.text)).map(fromView);
    if (!content.length) continue;
    if (out.at(-1)?.role === role) out.at(-1)?.content.push(...content);
    else out.push({ role, content });
  }
  return out;
}

describe('the conversation of a recorded session is what the genuine client sent when it resumed it', () => {
  const cases = readdirSync(root).filter((name) => existsSync(join(root, name, 'resumed-messages.json')));
  it('has the fixtures and a reason for each kind of difference', () => {
    expect(cases.length).toBe(17);
    expect(Object.values(DIFFERENCES).every(Boolean)).toBe(true);
  });
  it.each(cases)('%s', (name) => {
    const file = readdirSync(join(root, name)).find((f) => f.endsWith('.jsonl')) as string;
    const truth = JSON.parse(readFileSync(join(root, name, 'resumed-messages.json'), 'utf8')) as Message[];
    const found = conversation(claudeStreams(join(root, name, file)));
    expect(reduced(found.view)).toEqual(truth.map((m) => ({ role: m.role, content: m.content.map(fromApi) })));
  });
});

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const user = (n: number, parent: number | null, content: unknown, more = {}) => ({
  type: 'user',
  uuid: uuid(n),
  parentUuid: parent === null ? null : uuid(parent),
  message: { role: 'user', content },
  ...more,
});
const assistant = (n: number, parent: number | null, content: unknown, more = {}) => ({
  type: 'assistant',
  uuid: uuid(n),
  parentUuid: parent === null ? null : uuid(parent),
  message: { role: 'assistant', id: `msg_${n}`, model: 'm', content: typeof content === 'string' ? [{ type: 'text', text: content }] : content, ...more },
});
const boundary = (n: number, after: number, meta = {}) => ({
  type: 'system',
  subtype: 'compact_boundary',
  uuid: uuid(n),
  parentUuid: null,
  logicalParentUuid: uuid(after),
  compactMetadata: { trigger: 'manual', ...meta },
});
const summary = (n: number, parent: number | null) => user(n, parent, 'SUMMARY', { isCompactSummary: true, isVisibleInTranscriptOnly: true });
const kept = (anchor: number, ids: number[]) => ({ preservedMessages: { anchorUuid: uuid(anchor), uuids: ids.map(uuid), allUuids: ids.map(uuid) } });
const leaf = (n: number, more = {}) => ({ type: 'last-prompt', lastPrompt: 'x', leafUuid: uuid(n), ...more });
const call = (id: string) => [{ type: 'tool_use', id, name: 'Bash', input: { command: id } }];
const result = (id: string) => [{ type: 'tool_result', tool_use_id: id, content: `r-${id}` }];

const told = (entries: Entry[]): string[] =>
  entries.flatMap((entry) =>
    entry.content.map((b) =>
      b.type === 'text' ? b.text : b.type === 'tool_call' ? `call ${b.id}` : b.type === 'tool_result' ? `result ${b.call_id}` : b.type,
    ),
  );
const read = (...lines: object[]) => conversation(new Map([['main', linesToRecords(lines)]]));
const H = [user(1, null, 'H1'), assistant(2, 1, 'A1'), user(3, 2, 'H2'), assistant(4, 3, 'A2')];
const fork = [...H, user(5, 2, 'F'), assistant(6, 5, 'FA')];

// Each row was seen with the genuine client 2.1.332.
describe('the branch that is resumed', () => {
  it.each<[string, object[], string[]]>([
    ['ends at the last leaf in file order', fork, ['H1', 'A1', 'F', 'FA']],
    ['ends at the leaf that the last last-prompt names', [...fork, leaf(4)], ['H1', 'A1', 'H2', 'A2']],
    ['goes by file order when last-prompt names an entry that goes on', [...fork, leaf(4), leaf(2)], ['H1', 'A1', 'F', 'FA']],
    ['goes by file order after an explicit rewind to nothing', [...fork, leaf(0, { explicit: true })], ['H1', 'A1', 'F', 'FA']],
    ['takes the entry before for a parent that is missing', [...H, user(5, 99, 'H3'), assistant(6, 5, 'A3')], ['H1', 'A1', 'H2', 'A2', 'H3', 'A3']],
    ['begins at a null link in the middle', [...H, user(5, null, 'H3'), assistant(6, 5, 'A3')], ['H3', 'A3']],
    [
      'passes through entries that are not sent',
      [...H, { type: 'progress', uuid: uuid(7), parentUuid: uuid(4) }, user(8, 7, 'H3')],
      ['H1', 'A1', 'H2', 'A2', 'H3'],
    ],
    ['leaves side chains out', [...H, user(7, null, 'side', { isSidechain: true })], ['H1', 'A1', 'H2', 'A2']],
    [
      'leaves out errors that the client only shows',
      [...H, user(5, 4, 'H3'), { ...assistant(6, 5, 'API Error: 429', { model: '<synthetic>' }), isApiErrorMessage: true }, user(7, 6, 'again')],
      ['H1', 'A1', 'H2', 'A2', 'H3', 'again'],
    ],
    [
      'keeps the part of a reply that the client stored itself',
      [...H, user(5, 4, 'H3'), assistant(6, 5, 'Partial', { model: '<synthetic>' }), user(7, 6, 'again')],
      ['H1', 'A1', 'H2', 'A2', 'H3', 'Partial', 'again'],
    ],
    ['does not hang on a ring of parents', [user(1, 3, 'H1'), assistant(2, 1, 'A1'), user(3, 2, 'H2'), assistant(4, 3, 'A2')], ['H1', 'A1', 'H2', 'A2']],
  ])('%s', (_, lines, expected) => {
    expect(told(read(...lines).entries)).toEqual(expected);
  });

  it('collects results of parallel calls that hang under their own calls', () => {
    const lines = [
      user(1, null, 'H1'),
      assistant(2, 1, call('c1'), { id: 'm' }),
      assistant(3, 2, call('c2'), { id: 'm' }),
      user(5, 3, result('c2')),
      user(4, 2, result('c1')),
      assistant(7, 5, 'on'),
    ];
    expect(told(read(...lines).entries)).toEqual(['H1', 'call c1', 'call c2', 'result c2', 'result c1', 'on']);
  });

  it('reads the linear chain of older versions', () => {
    const lines = [
      user(1, null, 'H1'),
      assistant(2, 1, call('c1'), { id: 'm' }),
      assistant(3, 2, call('c2'), { id: 'm' }),
      user(4, 3, result('c1')),
      user(5, 4, result('c2')),
      assistant(7, 5, 'on'),
    ];
    expect(told(read(...lines).entries)).toEqual(['H1', 'call c1', 'call c2', 'result c1', 'result c2', 'on']);
  });

  it('counts messages on abandoned branches', () => {
    expect(read(...fork).abandoned).toBe(2);
    expect(read(...H).abandoned).toBe(0);
  });

  it('counts a prompt typed while a tool ran as text of the person', () => {
    const queued = {
      type: 'attachment',
      uuid: uuid(9),
      parentUuid: uuid(4),
      attachment: { type: 'queued_command', prompt: 'typed late', origin: { kind: 'human' } },
    };
    expect(read(...H, queued).entries.at(-1)).toMatchObject({ role: 'user', origin: 'person', content: [{ type: 'text', text: 'typed late' }] });
  });
});

describe('a compaction', () => {
  const all = ['H1', 'A1', 'H2', 'A2'];
  it.each<[string, object[], string[], string[]]>([
    ['hides what lies before it from the model', [...H, boundary(10, 4), summary(11, 10), user(12, 11, 'T')], ['SUMMARY', 'T'], [...all, 'SUMMARY', 'T']],
    [
      'puts kept messages after the summary',
      [...H, boundary(10, 4, kept(11, [3, 4])), summary(11, 10), user(12, 11, 'T')],
      ['SUMMARY', 'H2', 'A2', 'T'],
      [...all, 'SUMMARY', 'T'],
    ],
    [
      'puts kept messages after their anchor',
      [...H, boundary(10, 4, kept(12, [3, 4])), summary(11, 10), user(12, 11, 'T')],
      ['SUMMARY', 'T', 'H2', 'A2'],
      [...all, 'SUMMARY', 'T'],
    ],
    [
      'keeps none when one is missing',
      [...H, boundary(10, 4, kept(11, [3, 77])), summary(11, 10), user(12, 11, 'T')],
      ['SUMMARY', 'T'],
      [...all, 'SUMMARY', 'T'],
    ],
    [
      'reads a segment that is told by its ends only',
      [...H, boundary(10, 4, { preservedSegment: { headUuid: uuid(2), anchorUuid: uuid(11), tailUuid: uuid(4) } }), summary(11, 10)],
      ['SUMMARY', 'A1', 'H2', 'A2'],
      [...all, 'SUMMARY'],
    ],
    ['of 1.0.x is a second root', [...H, summary(11, null), user(12, 11, 'T')], ['SUMMARY', 'T'], [...all, 'SUMMARY', 'T']],
    ['outlives a last-prompt that names the end of what it replaced', [...H, leaf(4), boundary(10, 4), summary(11, 10)], ['SUMMARY'], [...all, 'SUMMARY']],
    ['is undone by a rewind to before it', [...H, boundary(10, 4), summary(11, 10), user(12, 2, 'R')], ['H1', 'A1', 'R'], ['H1', 'A1', 'R']],
    [
      'that kept messages drops the rest: a rewind to before it follows what was kept',
      [...H, boundary(10, 4, kept(11, [3, 4])), summary(11, 10), user(12, 11, 'T'), user(30, 2, 'R')],
      ['SUMMARY', 'H2', 'A2', 'R'],
      [...all, 'SUMMARY', 'R'],
    ],
    [
      'without anything after it ends at the last kept message',
      [...H, boundary(10, 4, kept(12, [3, 4])), summary(11, 10), user(12, 11, 'L')],
      ['SUMMARY', 'L', 'H2', 'A2'],
      [...all, 'SUMMARY', 'L'],
    ],
    [
      'goes on below the last kept message',
      [...H, boundary(10, 4, kept(12, [3, 4])), summary(11, 10), user(12, 11, 'L'), user(13, 4, 'N')],
      ['SUMMARY', 'L', 'H2', 'A2', 'N'],
      [...all, 'SUMMARY', 'L', 'N'],
    ],
    [
      'can keep messages twice',
      [...H, boundary(10, 4, kept(11, [3, 4])), summary(11, 10), user(12, 11, 'T'), boundary(20, 12, kept(21, [4, 12])), summary(21, 20), user(22, 21, 'U')],
      ['SUMMARY', 'A2', 'T', 'U'],
      [...all, 'SUMMARY', 'T', 'SUMMARY', 'U'],
    ],
    [
      'can follow another one',
      [...H, boundary(10, 4), summary(11, 10), user(12, 11, 'T'), boundary(20, 12), { ...summary(21, 20) }, user(22, 21, 'U')],
      ['SUMMARY', 'U'],
      [...all, 'SUMMARY', 'T', 'SUMMARY', 'U'],
    ],
  ])('%s', (_, lines, view, entries) => {
    const found = read(...lines);
    expect(told(found.view)).toEqual(view);
    expect(told(found.entries)).toEqual(entries);
  });

  it('shares its entries between the whole branch and the view, and is the same list without compaction', () => {
    const found = read(...H, boundary(10, 4, kept(11, [3, 4])), summary(11, 10));
    expect(found.view.every((entry) => found.entries.includes(entry))).toBe(true);
    const plain = read(...H);
    expect(plain.view).toBe(plain.entries);
  });
});
