import { RelayError } from './errors.ts';
import type { Json, JsonObject } from './json.ts';
import { cutsOf, type Insertion, insertLast, type Node, propertyOf, type Range, readTree, without } from './json-edit.ts';

/**
 * Hooks in the form that several clients have in common: {"hooks": {"<Event>": [{"hooks": [{"type": "command", "command": "…"}]}]}}.
 * Clients keep trust in a hook by its text and its place, so relay's text never changes, and its group stands last when it is put in.
 */
export const HOOK_COMMAND = 'command -v relay >/dev/null 2>&1 || exit 0; exec relay hook';

/** The events that relay wants to be told of; `timeout`: seconds that the client shall wait, where its own figure does not do. */
export type WantedHooks = Readonly<Record<string, { timeout?: number }>>;

/** What to insert so that every wanted event calls relay; nothing where all do. RelayError `usage` for a text of another shape. */
export function insertHooks(text: string | undefined, wanted: WantedHooks): Insertion[] {
  if (!text?.trim()) return [{ at: text?.length ?? 0, text: `${JSON.stringify({ hooks: lists(wanted) }, null, 2)}\n` }];
  const root = rootOf(text);
  const hooks = propertyOf(root, 'hooks');
  if (!hooks) return insertLast(text, root, [{ key: 'hooks', value: lists(wanted) }]);
  const fresh: { key: string; value: Json }[] = [];
  const insertions = missingOf(hooks, wanted).flatMap((event) => {
    const list = propertyOf(hooks, event);
    if (list) return insertLast(text, list, [{ value: groupOf(wanted[event]) }]);
    fresh.push({ key: event, value: [groupOf(wanted[event])] });
    return [];
  });
  return fresh.length ? [...insertions, ...insertLast(text, hooks, fresh)] : insertions;
}

/** The text without relay's hooks, and without the groups, lists and objects that held nothing else; undefined where then nothing is left. */
export function cutHooks(text: string): string | undefined {
  if (!text.trim()) return text;
  const root = rootOf(text);
  const hooks = propertyOf(root, 'hooks');
  if (!hooks) return text;
  const ofGroup = (group: Node) => sweep(text, propertyOf(group, 'hooks') as Node, (hook) => (isRelays(hook) ? 'all' : []));
  const ofEvent = (event: Node) => sweep(text, event.children?.[1] as Node, ofGroup);
  const cuts = sweep(text, root, (property) => (property === hooks.parent ? sweep(text, hooks, ofEvent) : []));
  return cuts === 'all' ? undefined : without(text, cuts);
}

/** Does every wanted event call relay? Of a text that cannot be read none does. */
export function callsRelay(text: string, wanted: WantedHooks): boolean {
  try {
    const hooks = propertyOf(rootOf(text), 'hooks');
    return hooks !== undefined && missingOf(hooks, wanted).length === 0;
  } catch {
    return false;
  }
}

const groupOf = (more: { timeout?: number } = {}): JsonObject => ({ hooks: [{ type: 'command', command: HOOK_COMMAND, ...more }] });

const lists = (wanted: WantedHooks): JsonObject => Object.fromEntries(Object.entries(wanted).map(([event, more]) => [event, [groupOf(more)]]));

const missingOf = (hooks: Node, wanted: WantedHooks): string[] => Object.keys(wanted).filter((event) => !tellsRelay(propertyOf(hooks, event)));

const isRelays = (node: Node): boolean => node.type === 'object' && propertyOf(node, 'command')?.value === HOOK_COMMAND;

const tellsRelay = (list: Node | undefined): boolean => list?.children?.some((group) => propertyOf(group, 'hooks')?.children?.some(isRelays)) ?? false;

/** The root of a settings text, whose `hooks` have the form that clients take. */
function rootOf(text: string): Node {
  const root = readTree(text);
  if ('faultAt' in root) throw new RelayError('usage', `It is no JSON: line ${root.faultAt} cannot be read.`);
  if (root.type !== 'object') throw new RelayError('usage', 'It holds no JSON object.');
  const hooks = propertyOf(root, 'hooks');
  if (!hooks) return root;
  if (hooks.type !== 'object') throw new RelayError('usage', 'Its "hooks" are no object.');
  for (const { children: [name, list] = [] } of hooks.children ?? [])
    if (list?.type !== 'array' || !list.children?.every(isGroup))
      throw new RelayError('usage', `Its hooks of ${JSON.stringify(name?.value)} are no list of groups.`);
  return root;
}

const isGroup = (node: Node): boolean => node.type === 'object' && propertyOf(node, 'hooks')?.type === 'array';

/** What to cut of an object or array, asked child by child: `all` where nothing of it would be left. */
function sweep(text: string, container: Node, judge: (child: Node) => Range[] | 'all'): Range[] | 'all' {
  const children = container.children ?? [];
  const judged = children.map(judge);
  const gone = new Set(children.filter((_, n) => judged[n] === 'all'));
  if (gone.size && gone.size === children.length) return 'all';
  return [...judged.flatMap((cuts) => (cuts === 'all' ? [] : cuts)), ...cutsOf(text, container, gone)];
}
