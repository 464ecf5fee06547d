import type { SessionRecord } from '#session/record.ts';

/** A record of the tree, with its parent as the client finds it. */
export interface Node {
  index: number;
  record: SessionRecord;
  /** undefined: a root */
  parent: Node | undefined;
}

export interface Tree {
  /** in file order, side chains left out */
  nodes: Node[];
  byId: Map<string, Node>;
  /** the end of the branch that is resumed; undefined when there is no entry at all */
  leaf: Node | undefined;
}

/**
 * The tree of a file, by the client's rules: of entries with one uuid the last counts; a parent that is not in the file is
 * replaced by the entry before; the branch that is resumed ends at the leaf named by the last `last-prompt` line, or, where
 * that names no leaf, at the last leaf in file order.
 */
export function buildTree(records: readonly SessionRecord[]): Tree {
  const byId = new Map<string, Node>();
  let named: string | undefined;
  records.forEach((record, index) => {
    if (record.type === 'raw') return;
    if (record.type === 'event' && record.kind === 'leaf') named = typeof record.data?.leaf === 'string' ? record.data.leaf : undefined;
    if (record.id === undefined || record.side) return;
    byId.set(record.id, { index, record, parent: undefined });
  });
  const nodes = [...byId.values()];
  const parents = new Set<Node>();
  nodes.forEach((node, at) => {
    const parent = parentId(node.record);
    if (parent !== undefined) node.parent = byId.get(parent) ?? nodes[at - 1];
    else if (startsAnew(node.record)) node.parent = nodes[at - 1];
    if (node.parent) parents.add(node.parent);
  });
  const asked = named === undefined ? undefined : byId.get(named);
  const leaf = asked && !parents.has(asked) ? asked : nodes.findLast((node) => !parents.has(node));
  return { nodes, byId, leaf: leaf ?? nodes.at(-1) };
}

const parentId = (record: SessionRecord): string | undefined => (record.type === 'raw' ? undefined : (record.parent ?? undefined));

/** Entries at which the model's view begins: a boundary, or (1.0.x, which has none) a summary without parent. */
export const startsAnew = (record: SessionRecord): boolean =>
  record.type === 'boundary' || (record.type === 'message' && record.summary === true && (record.parent ?? null) === null);

/** The branch that ends at `leaf`, root first. A ring of parents is cut where it closes. */
export function branchTo(leaf: Node | undefined): Node[] {
  const path: Node[] = [];
  const seen = new Set<Node>();
  for (let node = leaf; node && !seen.has(node); node = node.parent) {
    seen.add(node);
    path.push(node);
  }
  return path.reverse();
}

/**
 * Adds what a walk along parents misses: the blocks of one reply and the results of its parallel calls hang beside each other,
 * each result under its own call. A reply comes first, then its results, both in file order.
 */
export function withSiblings(path: readonly Node[], tree: Tree): Node[] {
  const replies = new Map<string, Node[]>();
  const results = new Map<Node, Node[]>();
  for (const node of tree.nodes) {
    if (node.record.type !== 'message') continue;
    if (node.record.role === 'assistant' && node.record.group !== undefined) push(replies, node.record.group, node);
    else if (node.record.role === 'tool' && node.parent) push(results, node.parent, node);
  }
  const out: Node[] = [];
  const done = new Set<Node>();
  let open: Node[] = [];
  const emit = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      if (done.has(node)) continue;
      done.add(node);
      out.push(node);
    }
  };
  const close = (): void => {
    emit(open.flatMap((call) => results.get(call) ?? []).sort((a, b) => a.index - b.index));
    open = [];
  };
  for (const node of path) {
    if (done.has(node)) continue;
    const { record } = node;
    const group = record.type === 'message' && record.role === 'assistant' ? record.group : undefined;
    // What hangs between a reply and its results, or has no message of its own, closes nothing.
    if (record.type === 'message' && !(record.role === 'system')) close();
    if (group === undefined) emit([node]);
    else {
      open = replies.get(group) ?? [node];
      emit(open);
    }
  }
  close();
  return out;
}

function push<K>(map: Map<K, Node[]>, key: K, node: Node): void {
  const list = map.get(key);
  if (list) list.push(node);
  else map.set(key, [node]);
}
