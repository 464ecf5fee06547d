import type { Conversation, Entry, Streams } from '#session/conversation.ts';
import type { Block, MessageRecord } from '#session/record.ts';
import { activeBranch, buildTree, type Node, startsAnew, withSiblings } from './tree.ts';

/**
 * The conversation that the client would resume. Left out: what describes the source's client and machine (its tools, modes,
 * reminders, date), since the client that goes on brings its own.
 */
export function conversation(streams: Streams): Conversation {
  const tree = buildTree(streams.get('main') ?? []);
  const branch = activeBranch(tree);
  const after = withSiblings(branch.view, tree);
  const whole = new Set([...withSiblings(branch.before, tree), ...after]);
  const made = new Map<Node, Entry[]>();
  for (const node of whole) made.set(node, toEntries(node));
  const entriesOf = (nodes: Iterable<Node>): Entry[] => [...nodes].flatMap((node) => made.get(node) ?? []);
  const entries = entriesOf(whole);
  const abandoned = tree.nodes.filter((node) => isSpoken(node) && !made.has(node)).length;
  const compacted = branch.view[0] !== undefined && startsAnew(branch.view[0].record);
  return { entries, view: compacted ? entriesOf(after) : entries, sealed: false, abandoned };
}

const isSpoken = (node: Node): boolean => node.record.type === 'message';

/** A record as entries. Results and text that stand in one record become two, since their roles differ. */
function toEntries({ record, index }: Node): Entry[] {
  if (record.type !== 'message') return [];
  const content = record.content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  if (!content.length) return [];
  if (record.role !== 'tool') return [entry(record, index, content)];
  const results = content.filter((block) => block.type === 'tool_result');
  const rest = content.filter((block) => block.type !== 'tool_result');
  return [entry(record, index, results), ...(rest.length ? [{ ...entry(record, index, rest), role: 'user' as const, origin: 'harness' as const }] : [])];
}

/** Who wrote a message that does not say it. */
const ORIGIN = { user: 'person', assistant: 'model', tool: 'tool', system: 'harness' } as const;

function entry(record: MessageRecord, index: number, content: Block[]): Entry {
  return {
    role: record.role,
    content,
    stream: 'main',
    record: index,
    origin: record.origin ?? ORIGIN[record.role],
    ...(record.time === undefined ? {} : { time: record.time }),
    ...(record.model === undefined ? {} : { model: record.model }),
    ...(record.group === undefined ? {} : { group: record.group }),
    ...(record.summary ? { summary: true } : {}),
    ...(record.hidden ? { hidden: true } : {}),
  };
}
