import { RelayError } from '#lib/errors.ts';
import { type GitPlace, lastWords, startGit } from './run.ts';

/** `Name <email>`, seconds since 1970; `zone` as git writes it, default +0000. */
export interface Signature {
  name: string;
  email: string;
  seconds: number;
  zone?: string;
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
  /** id of the tree to begin with instead of the parent's */
  tree?: string;
  /** path -> mark or blob id; null takes the path away (also a folder) */
  files: ReadonlyMap<string, string | null>;
}

/** One `git fast-import`: objects go in as they come, the refs move at the end, each only if it still is an ancestor. */
export interface FastImport {
  /** Answers the mark of the blob. */
  blob(bytes: Buffer): string;
  commit(order: CommitOrder): string;
  /** The id that a mark stands for, asked while the stream is open. */
  id(mark: string): Promise<string>;
  /** Resolves when git has taken in what was written so far, except for a small rest. */
  drained(): Promise<void>;
  /** Ends the stream. Answers the ids of the marks, or what went wrong: `moved` when another process moved a ref first. */
  finish(marks: readonly string[]): Promise<{ ids: string[] } | { failed: string; moved: boolean }>;
  /** Stops at once; no ref moves. */
  abort(): Promise<void>;
}

const oneLine = (text: string): string => text.replace(/[<>\0-\x1f\x7f]+/g, ' ').trim();
const signature = (word: string, { name, email, seconds, zone = '+0000' }: Signature): string =>
  `${word} ${oneLine(name)} <${oneLine(email).replaceAll(' ', '')}> ${seconds} ${zone}\n`.replace(/ {2}</, ' <');

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
  const answers = answerLines(child.stdout);
  let marks = 0;
  let over = false;
  ended.then(
    ({ stderr }) => {
      over = true;
      stdin.emit('drain');
      answers.end(stderr);
    },
    () => answers.end(''),
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
    id(mark) {
      stdin.write(`get-mark ${mark}\n`);
      return answers.next();
    },
    async drained() {
      while (stdin.writableNeedDrain && !over) await new Promise<void>((resolve) => stdin.once('drain', () => resolve()));
    },
    async finish(wanted) {
      stdin.end(`${wanted.map((mark) => `get-mark ${mark}\n`).join('')}done\n`);
      const { code, stderr } = await ended;
      const ids = answers.rest();
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

/** Lines that git answers with: to those who wait for one, in order; the others are kept. */
function answerLines(output: NodeJS.ReadableStream) {
  const kept: string[] = [];
  const waiting: { resolve(line: string): void; reject(error: Error): void }[] = [];
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const next = waiting.shift();
      if (next) next.resolve(line);
      else kept.push(line);
    }
  });
  return {
    next: (): Promise<string> => new Promise((resolve, reject) => waiting.push({ resolve, reject })),
    rest: (): string[] => kept,
    end(stderr: string): void {
      for (const one of waiting.splice(0)) one.reject(new RelayError('failed', `git fast-import ended early: ${lastWords(stderr)}`, 'Run the command again.'));
    },
  };
}

function commitText(order: CommitOrder, mark: string): Buffer {
  const message = Buffer.from(order.message, 'utf8');
  const changes = [...order.files].map(([path, blob]) => (blob === null ? `D ${path}\n` : `M 100644 ${blob} ${path}\n`));
  return Buffer.concat([
    Buffer.from(`commit ${order.ref}\nmark ${mark}\n${signature('author', order.author)}${signature('committer', order.committer)}data ${message.length}\n`),
    message,
    Buffer.from(
      `\n${order.from ? `from ${order.from}\n` : ''}${order.fresh ? 'deleteall\n' : ''}${order.tree ? `M 040000 ${order.tree} ""\n` : ''}${changes.join('')}\n`,
    ),
  ]);
}
