import { posix } from 'node:path';
import type { Json } from '#lib/json.ts';
import type { Action, FileChange } from '#session/action.ts';
import { patchFiles } from './patch.ts';

/** The command as one would type it: `["bash", "-lc", "ls"]` is `ls`. undefined: there is none. */
export function commandText(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value || undefined;
  if (!Array.isArray(value) || !value.length || !value.every((word) => typeof word === 'string')) return undefined;
  const [shell = '', flag = '', text] = value;
  if (value.length === 3 && text && /(?:^|[/\\])(?:(?:ba|z|da)?sh|pwsh|powershell)(?:\.exe)?$/.test(shell) && /^-(?:l?c|Command)$/.test(flag)) return text;
  return value.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}

/** `apply_patch <<'EOF' … EOF`, perhaps `cd dir &&` before it: the client takes it for its own tool. */
const PATCH =
  /(?:^|[\n;&])[ \t]*(?:cd[ \t]+(?<dir>\S+)[ \t]*&&[ \t]*)?apply_?patch[ \t]*<<[-~]?[ \t]*(?<quote>['"]?)(?<word>\w+)\k<quote>(?<more>[^\n]*)\n(?<body>[\s\S]*?)\n[ \t]*\k<word>(?=\n|$)/g;

/** What a command line does: a patch in it is a change, the rest of it a command. */
export function shellActions(command: string, cwd: string | undefined): Action[] {
  const rest = command.includes('*** Begin Patch') ? command.replaceAll(PATCH, (...match) => `\n${behind(match.at(-1))}`).trim() : command;
  const run: Action[] = rest ? [{ kind: 'run', command: rest, ...(cwd ? { cwd } : {}) }] : [];
  if (rest === command) return run;
  const files = [...command.matchAll(PATCH)].flatMap(({ groups }) => patchFiles(groups?.body ?? '').map(from(cwd ?? '', unquoted(groups?.dir ?? ''))));
  return [{ kind: 'change', files }, ...run];
}

/** What follows the patch on the line that begins it: `apply_patch <<EOF && npm test`. */
const behind = (groups: { more?: string }): string => groups.more?.replace(/^[\s;&|]+/, '') ?? '';

const unquoted = (word: string): string => word.replace(/^(['"])(.*)\1$/, '$2');

/** Names of a patch are those of the folder where it is applied. */
const from =
  (...folders: string[]) =>
  (file: FileChange): FileChange => {
    const place = (path: string): string => (posix.isAbsolute(path) ? path : posix.join(...folders, path));
    return { ...file, path: place(file.path), ...(file.to === undefined ? {} : { to: place(file.to) }) };
  };
