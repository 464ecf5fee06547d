import { type GitPlace, startGit } from './run.ts';

/** `Name <email>`, seconds since 1970 (UTC). */
export interface Signature {
  name: string;
  email: string;
  seconds: number;
}

interface CommitOrder {
  ref: string;
  author: Signature;
  committer: Signature;
  message: string;
  /** commit id or mark of the parent; undefined: a root commit */
  from?: string;
  /** true: begin with an empty tree instead of the parent's */
  fresh?: boolean;
  /** path -> mark or blob id; null takes the path away (also a folder) */
  files: ReadonlyMap<string, string | null>;
}

/** One `git fast-import`: objects go in as they come, the refs move at the end, each only if it still is an ancestor. */
export interface FastImport {
  /** Answers the mark of the blob. */
  blob(bytes: Buffer): string;
  commit(order: CommitOrder): string;
  /** Resolves when git has taken in what was written so far, except for a small rest. */
  drained(): Promise<void>;
  /** Ends the stream. Answers the ids of the marks, or what went wrong: `moved` when another process moved a ref first. */
  finish(marks: readonly string[]): Promise<{ ids: string[] } | { failed: string; moved: boolean }>;
  /** Stops at once; no ref moves. */
  abort(): Promise<void>;
}

const oneLine = (text: string): string => text.replace(/[<>\0-\x1f\x7f]+/g, ' ').trim();
const signature = (word: string, { name, email, seconds }: Signature): string =>
  `${word} ${oneLine(name)} <${oneLine(email).replaceAll(' ', '')}> ${seconds} +0000\n`.replace(/ {2}</, ' <');

/**
 * Starts `git fast-import`. `depth=0`: no delta against the blob before, which costs more time than the rest and hardly ever pays.
 * @param level of zlib, for what is stored; a push sends the same bytes again
 * @param force true: the refs move also where the new commit does not descend from the old one
 */
export function fastImport(place: GitPlace, level: number, force = false): FastImport {
  const args = [
    '-c',
    `core.compression=${level}`,
    '-c',
    `pack.compression=${level}`,
    '-c',
    'fastimport.unpackLimit=1',
    'fast-import',
    '--quiet',
    '--done',
    '--date-format=raw',
    '--depth=0',
    ...(force ? ['--force'] : []),
  ];
  const { child, ended } = startGit(place, args);
  const { stdin } = child;
  let output = '';
  let marks = 0;
  let over = false;
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('latin1');
  });
  ended.then(
    () => {
      over = true;
      stdin.emit('drain');
    },
    () => {},
  );
  const nextMark = (): string => {
    marks++;
    return `:${marks}`;
  };
  return {
    blob(bytes) {
      const mark = nextMark();
      stdin.cork();
      stdin.write(`blob\nmark ${mark}\ndata ${bytes.length}\n`);
      stdin.write(bytes);
      stdin.write('\n');
      stdin.uncork();
      return mark;
    },
    commit(order) {
      const mark = nextMark();
      stdin.write(commitText(order, mark));
      return mark;
    },
    async drained() {
      while (stdin.writableNeedDrain && !over) await new Promise<void>((resolve) => stdin.once('drain', () => resolve()));
    },
    async finish(wanted) {
      stdin.end(`${wanted.map((mark) => `get-mark ${mark}\n`).join('')}done\n`);
      const { code, stderr } = await ended;
      const ids = output.split('\n').filter(Boolean);
      if (code === 0 && ids.length === wanted.length) return { ids };
      const full = /out of diskspace|no space left on device/i.test(stderr) ? 'the disk is full.' : undefined;
      // Two processes that store the very same pack at once meet at its keep file.
      const moved = /does not contain|cannot lock ref|Unable to create .*\.lock|cannot create keep file/i.test(stderr);
      return { failed: full ?? (stderr.trim() || `exit code ${code}`), moved };
    },
    async abort() {
      child.kill('SIGKILL');
      await ended.catch(() => {});
    },
  };
}

function commitText(order: CommitOrder, mark: string): Buffer {
  const message = Buffer.from(order.message, 'utf8');
  const changes = [...order.files].map(([path, blob]) => (blob === null ? `D ${path}\n` : `M 100644 ${blob} ${path}\n`));
  return Buffer.concat([
    Buffer.from(`commit ${order.ref}\nmark ${mark}\n${signature('author', order.author)}${signature('committer', order.committer)}data ${message.length}\n`),
    message,
    Buffer.from(`\n${order.from ? `from ${order.from}\n` : ''}${order.fresh ? 'deleteall\n' : ''}${changes.join('')}\n`),
  ]);
}
