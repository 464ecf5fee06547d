import { firstText, type JsonObject } from '#lib/json.ts';

/** The client keeps what a task in the background prints in a file of this name. */
const FILE = /[\\/]tasks[\\/]([\w-]+)\.output$/;
/** A command that only shows such a file, perhaps after a while, perhaps a part of it. */
const SHOWS =
  /^\s*(?:sleep\s+[\d.]+[smh]?\s*(?:;|&&)\s*)?(?:cat|tail|head)\b[^;&|\n]*[\\/]tasks[\\/]([\w-]+)\.output["']?\s*(?:2>(?:&1|\/dev\/null)\s*)?(?:\|[^;&\n]*)?$/;

/** Id of the task whose output a call looks at by that file; undefined: it does something else. */
export function taskLookedAt(name: string, input: JsonObject): string | undefined {
  if (name === 'Read') return FILE.exec(firstText(input, 'file_path'))?.[1];
  return name === 'Bash' ? SHOWS.exec(firstText(input, 'command'))?.[1] : undefined;
}
