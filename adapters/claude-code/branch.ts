import type { Conversation, Entry, Streams } from '#session/conversation.ts';
import type { Block, BoundaryRecord, MessageRecord } from '#session/record.ts';
import { isSetup } from './native.ts';
import { branchTo, buildTree, type Node, startsAnew, type Tree, withSiblings } from './tree.ts';

/**
 * The conversation that the client would resume. Left out: what describes the source's client and machine (its tools, modes,
 * reminders, date), since the client that goes on brings its own.
 */
export function conversation(streams: Streams): Conversation {
  const tree = buildTree(streams.get('main') ?? []);
  const path = branchTo(tree.leaf);
  const cut = path.findLastIndex((node) => startsAnew(node.record));
  const before = withSiblings(path.slice(0, Math.max(cut, 0)), tree);
  const after = withSiblings(path.slice(Math.max(cut, 0)), tree);
  const made = new Map<Node, Entry[]>();
  const entriesOf = (nodes: readonly Node[]): Entry[] => nodes.flatMap((node) => made.get(node) ?? keep(made, node, toEntries(node)));
  const entries = entriesOf([...before, ...after]);
  const abandoned = tree.nodes.filter((node) => isSpoken(node) && !made.has(node)).length;
  const view = cut < 0 ? entries : entriesOf(withPreserved(after, path[cut] as Node, tree));
  return { entries, view, sealed: false, abandoned };
}

const isSpoken = (node: Node): boolean => node.record.type === 'message' && !isSetup(node.record.name);

function keep(made: Map<Node, Entry[]>, node: Node, entries: Entry[]): Entry[] {
  made.set(node, entries);
  return entries;
}

/** Puts the messages that a compaction kept verbatim after its anchor. The client takes all of them, or none when one is missing. */
function withPreserved(after: Node[], start: Node, tree: Tree): Node[] {
  if (start.record.type !== 'boundary' || !start.record.preserved?.length) return after;
  const { anchor } = start.record;
  const at =
    anchor === undefined
      ? after.findIndex((node) => node.record.type === 'message' && node.record.summary)
      : after.findIndex((node) => node.record.type !== 'raw' && node.record.id === anchor);
  const kept = preservedNodes(start.record, tree);
  return kept && at >= 0 ? [...after.slice(0, at + 1), ...kept, ...after.slice(at + 1)] : after;
}

function preservedNodes(boundary: BoundaryRecord, tree: Tree): Node[] | undefined {
  const nodes: Node[] = [];
  for (const id of boundary.preserved ?? []) {
    const [first, last] = id.split('..') as [string, string?];
    const from = tree.byId.get(first);
    const stretch = last === undefined ? from && [from] : branchTo(tree.byId.get(last));
    const start = from && stretch ? stretch.indexOf(from) : -1;
    if (!stretch || start < 0) return undefined;
    nodes.push(...stretch.slice(start));
  }
  return nodes;
}

/** A record as entries. Results and text that stand in one record become two, since their roles differ. */
function toEntries({ record, index }: Node): Entry[] {
  if (record.type !== 'message' || isSetup(record.name)) return [];
  const content = record.content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  if (!content.length) return [];
  if (record.role !== 'tool') return [entry(record, index, content)];
  const results = content.filter((block) => block.type === 'tool_result');
  const rest = content.filter((block) => block.type !== 'tool_result');
  return [entry(record, index, results), ...(rest.length ? [{ ...entry(record, index, rest), role: 'user' as const, origin: 'harness' as const }] : [])];
}

function entry(record: MessageRecord, index: number, content: Block[]): Entry {
  return {
    role: record.role,
    content,
    stream: 'main',
    record: index,
    origin: record.origin ?? 'harness',
    ...(record.time === undefined ? {} : { time: record.time }),
    ...(record.model === undefined ? {} : { model: record.model }),
    ...(record.group === undefined ? {} : { group: record.group }),
    ...(record.summary ? { summary: true } : {}),
    ...(record.hidden ? { hidden: true } : {}),
  };
}
