import type { BoundaryRecord, SessionRecord } from '#session/record.ts';

/** A record of the tree, with its parent as the client finds it. */
export interface Node {
  index: number;
  record: SessionRecord;
  /** undefined: a root. At a boundary: what it followed. */
  parent: Node | undefined;
}

/** A compaction that kept messages: the client hangs them under the anchor, and what followed the anchor under the last of them. */
interface Relink {
  boundary: Node;
  kept: Set<Node>;
  parents: Map<Node, Node>;
}

export interface Tree {
  /** in file order, side chains left out */
  nodes: Node[];
  relinks: Relink[];
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
  nodes.forEach((node, at) => {
    const parent = parentId(node.record);
    if (parent !== undefined) node.parent = byId.get(parent) ?? nodes[at - 1];
    else if (startsAnew(node.record)) node.parent = nodes[at - 1];
  });
  const tree: Tree = { nodes, relinks: [], leaf: undefined };
  for (const node of nodes) {
    const relink = node.record.type === 'boundary' && node.record.preserved?.length ? relinkFor(node, node.record, byId, tree) : undefined;
    if (relink) tree.relinks.push(relink);
  }
  tree.leaf = leafOf(tree, named === undefined ? undefined : byId.get(named));
  return tree;
}

const parentId = (record: SessionRecord): string | undefined => (record.type === 'raw' ? undefined : (record.parent ?? undefined));

/** Entries at which the model's view begins: a boundary, or (1.0.x, which has none) a summary without parent. */
export const startsAnew = (record: SessionRecord): boolean =>
  record.type === 'boundary' || (record.type === 'message' && record.summary === true && (record.parent ?? null) === null);

/** The parent of a node after the first `count` relinks. */
function parentOf(node: Node, tree: Tree, count: number): Node | undefined {
  for (let i = count - 1; i >= 0; i--) {
    const parent = tree.relinks[i]?.parents.get(node);
    if (parent) return parent;
  }
  return node.parent;
}

/** undefined when a kept message or the anchor is missing: then the client keeps none of them. */
function relinkFor(boundary: Node, record: BoundaryRecord, byId: Map<string, Node>, tree: Tree): Relink | undefined {
  const anchor =
    record.anchor === undefined ? tree.nodes.find((n) => n.index > boundary.index && n.record.type === 'message' && n.record.summary) : byId.get(record.anchor);
  const kept = preservedNodes(record, byId, tree);
  const last = kept?.at(-1);
  if (!anchor || !kept || !last) return undefined;
  const members = new Set(kept);
  const parents = new Map<Node, Node>();
  for (const node of tree.nodes) {
    if (members.has(node) || startsAnew(node.record) || node.index < boundary.index || !node.parent) continue;
    // What hangs under the anchor follows the kept messages; so does what hangs under an entry that the compaction dropped.
    if (node.parent === anchor || (node.parent.index < boundary.index && !members.has(node.parent))) parents.set(node, last);
  }
  kept.forEach((node, at) => void parents.set(node, at === 0 ? anchor : (kept[at - 1] as Node)));
  return { boundary, kept: members, parents };
}

function preservedNodes(boundary: BoundaryRecord, byId: Map<string, Node>, tree: Tree): Node[] | undefined {
  const nodes: Node[] = [];
  for (const id of boundary.preserved ?? []) {
    const [first, last] = id.split('..') as [string, string?];
    const from = byId.get(first);
    const stretch = last === undefined ? from && [from] : walk(byId.get(last), tree, tree.relinks.length);
    const start = from && stretch ? stretch.indexOf(from) : -1;
    if (!stretch || start < 0) return undefined;
    nodes.push(...stretch.slice(start));
  }
  return nodes;
}

/** A compaction that keeps messages drops all others that stand before it: their leaves count no more. */
function leafOf(tree: Tree, named: Node | undefined): Node | undefined {
  const last = tree.relinks.at(-1);
  const alive = (node: Node): boolean => !last || node.index > last.boundary.index || last.kept.has(node);
  const parents = new Set<Node>();
  for (const node of tree.nodes) {
    const parent = parentOf(node, tree, tree.relinks.length);
    const own = tree.relinks.find((relink) => relink.boundary === node);
    if (parent && !own?.kept.has(parent)) parents.add(parent);
  }
  const isLeaf = (node: Node): boolean => alive(node) && !parents.has(node);
  return named && isLeaf(named) ? named : (tree.nodes.findLast(isLeaf) ?? tree.nodes.at(-1));
}

/** From the nearest start (root or compaction) to `leaf`. A ring of parents is cut where it closes. */
function walk(leaf: Node | undefined, tree: Tree, count: number): Node[] {
  const path: Node[] = [];
  const seen = new Set<Node>();
  for (let node = leaf; node && !seen.has(node); node = startsAnew(node.record) ? undefined : parentOf(node, tree, count)) {
    seen.add(node);
    path.push(node);
  }
  return path.reverse();
}

/** The branch that is resumed: `view` from its last compaction on, `before` what that replaced, back to the first entry. */
export function activeBranch(tree: Tree): { before: Node[]; view: Node[] } {
  const view = walk(tree.leaf, tree, tree.relinks.length);
  const stretches: Node[][] = [];
  let start = view[0];
  let count = tree.relinks.length;
  while (start && startsAnew(start.record) && start.parent && start.parent !== start) {
    const { index } = start;
    count = Math.min(count, tree.relinks.filter((relink) => relink.boundary.index < index).length);
    const stretch = walk(start.parent, tree, count);
    stretches.unshift(stretch);
    start = stretch[0];
    if (stretches.length > tree.nodes.length) break;
  }
  return { before: [...new Set(stretches.flat())], view };
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
