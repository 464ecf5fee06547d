import type { Side } from './side.ts';

/** What a tree holds somewhere below it. */
export interface TreeFile {
  path: string;
  /** as git writes it, e.g. 100644 */
  mode: string;
  id: string;
}

/** Entries of a tree object, taken apart: `<mode> <name>\0<raw id>`. A name is read byte by byte, so that no two are taken for the same. */
export function treeEntries(bytes: Buffer, idLength: number): { mode: string; name: string; id: string }[] {
  const entries = [];
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(32, at);
    const end = bytes.indexOf(0, space);
    if (space < 0 || end < 0) break;
    const id = bytes.toString('hex', end + 1, end + 1 + idLength);
    entries.push({ mode: bytes.toString('latin1', at, space), name: bytes.toString('latin1', space + 1, end), id });
    at = end + 1 + idLength;
  }
  return entries;
}

export const idBytes = (side: Side): number => (side.repository.objectFormat === 'sha256' ? 32 : 20);

/** Reads all files below trees; a tree that was read before is not read again. */
export function treeReader(side: Side): (tree: string) => Promise<TreeFile[]> {
  const known = new Map<string, TreeFile[]>();
  const read = async (tree: string): Promise<TreeFile[]> => {
    const before = known.get(tree);
    if (before) return before;
    const object = await side.objects.get(tree);
    const files: TreeFile[] = [];
    for (const { mode, name, id } of object ? treeEntries(object.bytes, idBytes(side)) : []) {
      if (mode === '40000') for (const file of await read(id)) files.push({ ...file, path: `${name}/${file.path}` });
      else files.push({ path: name, mode, id });
    }
    known.set(tree, files);
    return files;
  };
  return read;
}
