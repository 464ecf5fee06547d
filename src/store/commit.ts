import type { Signature } from '#git/fast-import.ts';

/** A commit object, taken apart. */
export interface Commit {
  tree: string;
  parents: string[];
  author: Signature;
  committer: Signature;
  message: string;
}

/** Reads a commit object; headers that relay never writes are left out. */
export function readCommit(bytes: Buffer): Commit {
  const text = bytes.toString('utf8');
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end);
  const all = (name: string): string[] => [...head.matchAll(new RegExp(`^${name} (.*)$`, 'gm'))].map(([, value = '']) => value);
  return {
    tree: all('tree')[0] ?? '',
    parents: all('parent'),
    author: signature(all('author')[0] ?? ''),
    committer: signature(all('committer')[0] ?? ''),
    message: end < 0 ? '' : text.slice(end + 2),
  };
}

function signature(line: string): Signature {
  const [, name = '', email = '', seconds = '0', zone = '+0000'] = /^(.*?) ?<([^<>]*)> (\d+) ([+-]\d{4})$/.exec(line) ?? [];
  return { name, email, seconds: Number(seconds), zone };
}
