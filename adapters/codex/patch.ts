import type { FileChange } from '#session/action.ts';

const HEAD = /^\*\*\* (Add File|Update File|Delete File|Move to|End Patch)(?:: (.+))?$/;

/** The files of a patch in the client's own form, in its order: lines `*** Add File: <path>`, and `*** Move to:` behind an update. */
export function patchFiles(text: string): FileChange[] {
  const files: FileChange[] = [];
  let hunks: string[] = [];
  const close = (): void => {
    const last = files.at(-1);
    const swaps = last && (last.change === 'changed' || last.change === 'renamed') ? swapsIn(hunks) : [];
    if (last && swaps.length) last.swaps = swaps;
    hunks = [];
  };
  for (const line of text.split('\n')) {
    const [, head, rest] = HEAD.exec(line.trimEnd()) ?? [];
    if (head === undefined) hunks.push(line);
    else if (head === 'Move to') {
      const last = files.at(-1);
      if (last?.change === 'changed' && rest) files[files.length - 1] = { path: last.path, change: 'renamed', to: rest.trim() };
    } else {
      close();
      if (rest) files.push({ path: rest.trim(), change: head === 'Add File' ? 'created' : head === 'Delete File' ? 'deleted' : 'changed' });
    }
  }
  close();
  return files;
}

/**
 * The lines that hunks replace, each with what comes in their place. A line next to them is kept beside what is only put in or taken out, since it says where;
 * empty where one has none.
 */
function swapsIn(lines: readonly string[]): [string, string][] {
  const swaps: [string, string][] = [];
  let [before, after]: [string[], string[]] = [[], []];
  let above: string | undefined;
  for (const line of [...lines, '@@']) {
    if (line.startsWith('-')) before.push(line.slice(1));
    else if (line.startsWith('+')) after.push(line.slice(1));
    else {
      const below = line.startsWith('@@') ? undefined : line.slice(1);
      if (before.length || after.length) {
        const one = before.length && after.length;
        if (!one && above === undefined && below === undefined) return [];
        const [head, tail] = one ? [[], []] : above === undefined ? [[], [below]] : [[above], []];
        swaps.push([[...head, ...before, ...tail].join('\n'), [...head, ...after, ...tail].join('\n')]);
      }
      [before, after, above] = [[], [], below];
    }
  }
  return swaps;
}
