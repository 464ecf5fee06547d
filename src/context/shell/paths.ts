import { posix } from 'node:path';

/** An absolute path without `.` and `..`; `/` between its parts, also on Windows. undefined: cannot be told (an unknown variable, an unknown folder). */
export function resolvePath(path: string, cwd: string | undefined): string | undefined {
  const plain = slashed(path);
  if (!plain || /[$`]/.test(plain)) return undefined;
  if (isAbsolute(plain)) return tidy(plain);
  return cwd === undefined ? undefined : tidy(posix.join(slashed(cwd), plain));
}

/** A path as people read it: relative where it lies below `root`, else as it is. */
export function shownPath(path: string, root: string): string {
  const base = tidy(slashed(root));
  if (path === base) return '.';
  return base && path.startsWith(`${base}/`) ? path.slice(base.length + 1) : path;
}

export const isBelow = (path: string, folder: string): boolean => path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);

const slashed = (path: string): string => (/^[A-Za-z]:\\|^\\\\/.test(path) ? path.replaceAll('\\', '/') : path);
const isAbsolute = (path: string): boolean => /^(?:\/|~|[A-Za-z]:\/)/.test(path);
const tidy = (path: string): string => posix.normalize(path).replace(/(?<=.)\/$/, '');
