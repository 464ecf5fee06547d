import { asArray, asObject, isObject, type Json, type JsonObject, parseJson } from '#lib/json.ts';
import { isRedacted, mending, type Say, toolName } from '#session/redacted.ts';
import type { RestoreInput } from '../adapter.ts';

/** Puts right what a redaction left in a line that the service would refuse; undefined: the line is left out. */
export const mender = ({ redacted, records }: RestoreInput, stream: string) =>
  mending<string | undefined>(redacted ? records(stream) : undefined, {
    begins: (record) => record.type === 'event' && record.kind === 'turn-start',
    sealed: /"encrypted_content"/,
    mend: mendLine,
  });

function mendLine(line: string, unseal: boolean, say: Say): string | undefined {
  const read = parseJson(line);
  if (!isObject(read)) return line;
  const value = withoutBrokenMetadata(read, say);
  const payload = asObject(value.payload);
  if (!payload) return line;
  if (value.type === 'session_meta') return mendMeta(value, payload, say) || value !== read ? JSON.stringify(value) : line;
  const made = value.type === 'compacted' ? mendedHistory(payload, say) : value.type === 'response_item' ? mendedItem(payload, unseal, say) : payload;
  if (made === undefined) return undefined;
  return made === payload && value === read ? line : JSON.stringify({ ...value, payload: made });
}

/** What the client notes beside an item is of closed sets (model_search_state): where it cannot read one, it passes over the item. */
function withoutBrokenMetadata(line: JsonObject, say: Say): JsonObject {
  const { metadata } = line;
  if (!isObject(metadata)) return line;
  const sound = Object.entries(metadata).filter(([, value]) => typeof value !== 'string' || !isRedacted(value));
  if (sound.length === Object.keys(metadata).length) return line;
  say('settings', 'left-out', 'What Codex notes beside an item was redacted; it may take only certain words there.');
  return { ...line, metadata: Object.fromEntries(sound) };
}

/** Only paginated lines are numbered. */
export const isPaginated = (line: JsonObject, { history_mode: mode }: JsonObject): boolean =>
  typeof mode === 'string' && isRedacted(mode) ? line.ordinal !== undefined : mode === 'paginated';

/** Fields of `session_meta` that the client wants, and takes any text in. The others may be of a closed set (multi_agent_version), and can be left out. */
const WANTED = new Set(['cwd', 'originator', 'cli_version', 'source', 'model_provider']);

/** Puts a `session_meta` right that the client would not read. Answers whether it changed. */
export function mendMeta(line: JsonObject, payload: JsonObject, say: Say): boolean {
  const broken = Object.keys(payload).filter((key) => !WANTED.has(key) && typeof payload[key] === 'string' && isRedacted(payload[key]));
  for (const key of broken) {
    if (key === 'history_mode') {
      payload.history_mode = isPaginated(line, payload) ? 'paginated' : 'legacy';
      say('settings', 'changed', `history_mode was redacted; by its lines it is ${payload.history_mode}.`);
      continue;
    }
    delete payload[key];
    say('settings', 'left-out', `${key} was redacted; Codex may take only certain words there.`);
  }
  return broken.length > 0;
}

function mendedHistory(payload: JsonObject, say: Say): JsonObject {
  const items = asArray(payload.replacement_history);
  // What was sealed with a compaction stands for all turns before it; the flow does not go by it where something was redacted.
  const made = items.flatMap((item) => (isObject(item) ? (mendedItem(item, false, say) ?? []) : [item]));
  return same(items, made) ? payload : { ...payload, replacement_history: made };
}

/** An item for the model; undefined where nothing is left of it. */
function mendedItem(item: JsonObject, unseal: boolean, say: Say): JsonObject | undefined {
  const { encrypted_content: seal } = item;
  if (typeof seal === 'string' && (isRedacted(seal) || (unseal && item.type === 'reasoning'))) {
    say('thinking', 'left-out', 'Sealed reasoning of a turn in which something was redacted is left out: it may hold what was taken out.');
    return undefined;
  }
  let made = item;
  for (const key of ['name', 'namespace'] as const) {
    const name = made[key];
    if (typeof name !== 'string' || !isRedacted(name)) continue;
    made = { ...made, [key]: toolName(name) };
    say('tool-name', 'changed', `The ${key} of a tool was redacted; it is ${toolName(name)}, in letters that the service takes.`);
  }
  for (const key of ['content', 'output'] as const) {
    const parts = asArray(made[key]);
    const mended = parts.map((part) => withoutBrokenImage(part, say));
    if (!same(parts, mended)) made = { ...made, [key]: mended };
  }
  return made;
}

function withoutBrokenImage(part: Json, say: Say): Json {
  const image = asObject(part);
  if (image?.type !== 'input_image' || ![image.image_url, image.detail].some((text) => typeof text === 'string' && isRedacted(text))) return part;
  if (typeof image.image_url === 'string' && !isRedacted(image.image_url)) {
    const { detail: _, ...rest } = image;
    say('image', 'changed', 'The detail that an image is sent in was redacted; the service takes its default.');
    return rest;
  }
  say('image', 'changed', 'The data of an image was redacted; a note stands in its place.');
  return { type: 'input_text', text: '[image that was redacted: left out]' };
}

const same = (before: readonly Json[], after: readonly Json[]): boolean => before.length === after.length && before.every((one, i) => one === after[i]);
