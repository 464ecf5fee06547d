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

/** The line that begins `apply_patch <<'EOF' … EOF`, perhaps with `cd dir &&` before it: the client takes it for its own tool. */
const HEAD = /(?:^|[\n;&])[ \t]*(?:cd[ \t]+(?<dir>\S+)[ \t]*&&[ \t]*)?apply_?patch[ \t]*<<[-~]?[ \t]*(?<quote>['"]?)(?<word>\w+)\k<quote>(?<more>[^\n]*)\n/g;

/** What a command line does: a patch in it is a change, the rest of it a command. */
export function shellActions(command: string, cwd: string | undefined): Action[] {
  const { rest, files } = command.includes('*** Begin Patch') ? withoutPatches(command, cwd ?? '') : { rest: command, files: [] };
  const run: Action[] = rest ? [{ kind: 'run', command: rest, ...(cwd ? { cwd } : {}) }] : [];
  return files.length ? [{ kind: 'change', files }, ...run] : run;
}

function withoutPatches(command: string, cwd: string): { rest: string; files: FileChange[] } {
  const files: FileChange[] = [];
  const rest: string[] = [];
  let from = 0;
  HEAD.lastIndex = 0;
  for (let head = HEAD.exec(command); head; head = HEAD.exec(command)) {
    const { dir = '', word = '', more = '' } = head.groups ?? {};
    const end = endOfText(command, HEAD.lastIndex, word);
    files.push(...patchFiles(command.slice(HEAD.lastIndex, end.from)).map(below(cwd, unquoted(dir))));
    // What follows on the line itself: `apply_patch <<EOF && npm test`.
    rest.push(command.slice(from, head.index), more.replace(/^[\s;&|]+/, ''));
    from = end.to;
    HEAD.lastIndex = from;
  }
  rest.push(command.slice(from));
  return {
    rest: rest
      .map((part) => part.trim())
      .filter(Boolean)
      .join('\n'),
    files,
  };
}

/** Where a text that is given in the shell ends: before the line that holds its word alone, else with the command. */
function endOfText(command: string, start: number, word: string): { from: number; to: number } {
  for (let at = start; at < command.length; ) {
    const end = command.indexOf('\n', at);
    const line = command.slice(at, end < 0 ? undefined : end);
    if (line.trim() === word) return { from: at, to: end < 0 ? command.length : end };
    if (end < 0) break;
    at = end + 1;
  }
  return { from: command.length, to: command.length };
}

const unquoted = (word: string): string => word.replace(/^(['"])(.*)\1$/, '$2');

/** Names of a patch are those of the folder where it is applied. */
const below =
  (...folders: string[]) =>
  (file: FileChange): FileChange => {
    const place = (path: string): string => (posix.isAbsolute(path) ? path : posix.join(...folders, path));
    return { ...file, path: place(file.path), ...(file.to === undefined ? {} : { to: place(file.to) }) };
  };
