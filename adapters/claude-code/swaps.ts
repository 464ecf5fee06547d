import { asArray, asObject, type Json, type JsonObject } from '#lib/json.ts';
import type { FileChange } from '#session/action.ts';

/** The texts that an edit replaces, in order; empty where not all of them are known, or one stands in many places. */
export function swapsOf(input: JsonObject): NonNullable<FileChange['swaps']> {
  const edits: Json[] = Array.isArray(input.edits) ? asArray(input.edits) : [input];
  const swaps = edits.flatMap((edit): [string, string][] => {
    const { old_string: before, new_string: after, replace_all: all } = asObject(edit) ?? {};
    return typeof before === 'string' && before && typeof after === 'string' && all !== true ? [[before, after]] : [];
  });
  return swaps.length === edits.length ? swaps : [];
}
