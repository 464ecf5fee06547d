import type { FileChange } from '#session/action.ts';

const HEAD = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/gm;

/** The files of a patch in the client's own form, in its order: lines `*** Add File: <path>`, and `*** Move to:` behind an update. */
export function patchFiles(text: string): FileChange[] {
  const files: FileChange[] = [];
  for (const [, head, rest = ''] of text.matchAll(HEAD)) {
    const path = rest.trim();
    const last = files.at(-1);
    if (head === 'Move to') {
      if (last?.change === 'changed') files[files.length - 1] = { path: last.path, change: 'renamed', to: path };
    } else files.push({ path, change: head === 'Add File' ? 'created' : head === 'Delete File' ? 'deleted' : 'changed' });
  }
  return files;
}
