import { join } from 'node:path';
import { asObject, type JsonObject, parseJson } from '#lib/json.ts';
import type { Where } from '#session/source.ts';

/**
 * What the agent's own files look like: names, folders, shapes. All of it seen with the real client; say with which version.
 * The agent of this template writes one JSONL file a session:
 *   {"kind":"session","id":"…","cwd":"/…","title":"…","at":"2026-…Z","version":"1.2.0"}     first line
 *   {"kind":"said","id":"…","by":"user"|"assistant","text":"…","at":"…"}
 *   {"kind":"call","id":"…","name":"…","input":{…},"at":"…"}
 *   {"kind":"result","call":"…","text":"…","failed":true|false,"at":"…"}
 */
export const AGENT = 'example';

/** Versions whose format was tried. */
export const FORM_VERSION = '1.2.0';

/** Where sessions may lie; the first is where new ones go. The environment comes first, then the settings, then the usual place. */
export const sessionFolders = ({ env, roots, home }: Where): string[] => [
  ...new Set([...(env.EXAMPLE_HOME ? [env.EXAMPLE_HOME] : []), ...(roots ?? []), join(home, '.example')].map((root) => join(root, 'sessions'))),
];

export const sessionPath = (where: Where, id: string): string => join(sessionFolders(where)[0] as string, `${id}.jsonl`);

/** The line that names the session, or undefined where a file begins with anything else. */
export function headOf(line: string): JsonObject | undefined {
  const value = asObject(parseJson(line));
  return value?.kind === 'session' && typeof value.id === 'string' ? value : undefined;
}
