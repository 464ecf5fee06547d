import { RelayError } from '#lib/errors.ts';
import { type GitPlace, type GitProcess, startGit } from './run.ts';

interface GitObject {
  id: string;
  type: string;
  bytes: Buffer;
}

/** Reads objects through one `git cat-file --batch`. */
export interface ObjectReader {
  /** The object that `name` stands for (`<id>`, `<commit>:<path>`, a ref), or null. `name` must hold no line feed. */
  get(name: string): Promise<GitObject | null>;
  /** The objects in order, a few read ahead; those that are missing are an error. */
  all(names: Iterable<string>, ahead?: number): AsyncGenerator<GitObject>;
}

interface Waiting {
  resolve(object: GitObject | null): void;
  reject(error: Error): void;
}

/**
 * The process starts with the first request and is kept for later ones. While nothing is asked it does not keep this
 * process alive, and it ends with it.
 */
export function objectReader(place: GitPlace): ObjectReader {
  let current: ReturnType<typeof connect> | undefined;
  const get = (name: string): Promise<GitObject | null> => {
    if (!current || current.closed()) current = connect(place);
    return current.ask(name);
  };
  async function* all(names: Iterable<string>, ahead = 4): AsyncGenerator<GitObject> {
    const asked: { name: string; answer: Promise<GitObject | null> }[] = [];
    const take = async (): Promise<GitObject> => {
      const { name, answer } = asked.shift() as (typeof asked)[number];
      const object = await answer;
      if (!object) throw new RelayError('corrupt', `The store lacks the object ${name}.`);
      return object;
    };
    for (const name of names) {
      const answer = get(name);
      answer.catch(() => {});
      asked.push({ name, answer });
      if (asked.length > ahead) yield await take();
    }
    while (asked.length) yield await take();
  }
  return { get, all };
}

function connect(place: GitPlace) {
  const process = startGit(place, ['cat-file', '--batch']);
  const waiting: Waiting[] = [];
  let closed = false;
  const parser = batchParser((object) => {
    waiting.shift()?.resolve(object);
    if (!waiting.length) keepAlive(process, false);
  });
  process.child.stdout.on('data', parser);
  const fail = (error: Error) => {
    closed = true;
    for (const one of waiting.splice(0)) one.reject(error);
  };
  process.ended.then(({ stderr }) => fail(new RelayError('failed', `git cat-file ended early: ${stderr.trim()}`)), fail);
  return {
    closed: () => closed,
    ask(name: string): Promise<GitObject | null> {
      if (/[\n\r]/.test(name)) return Promise.resolve(null);
      return new Promise((resolve, reject) => {
        if (!waiting.length) keepAlive(process, true);
        waiting.push({ resolve, reject });
        process.child.stdin.write(`${name}\n`);
      });
    },
  };
}

/** The pipes to a child are sockets; their handles count as work to do unless they are set aside. */
function keepAlive({ child }: GitProcess, on: boolean): void {
  for (const handle of [child, child.stdin, child.stdout, child.stderr] as unknown as { ref?(): void; unref?(): void }[]) {
    if (on) handle.ref?.();
    else handle.unref?.();
  }
}

/** Cuts the output of `cat-file --batch` into objects: `<id> <type> <size>\n<bytes>\n`, or `<name> missing\n`. */
function batchParser(found: (object: GitObject | null) => void): (chunk: Buffer) => void {
  let head: { id: string; type: string; size: number } | undefined;
  let parts: Buffer[] = [];
  let have = 0;
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    let data = rest.length ? Buffer.concat([rest, chunk]) : chunk;
    rest = Buffer.alloc(0);
    while (data.length) {
      if (!head) {
        const end = data.indexOf(10);
        if (end < 0) {
          rest = data;
          return;
        }
        const line = data.toString('utf8', 0, end);
        data = data.subarray(end + 1);
        const match = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(line);
        if (match) head = { id: match[1] as string, type: match[2] as string, size: Number(match[3]) };
        else found(null);
        continue;
      }
      // One byte more than the object: the line feed after it.
      const piece = data.subarray(0, head.size + 1 - have);
      parts.push(piece);
      have += piece.length;
      data = data.subarray(piece.length);
      if (have <= head.size) continue;
      const bytes = (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, have)).subarray(0, head.size);
      const object = { id: head.id, type: head.type, bytes };
      head = undefined;
      parts = [];
      have = 0;
      found(object);
    }
  };
}
