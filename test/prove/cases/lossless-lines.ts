import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { adapterById } from '#adapters/registry.ts';
import { RelayError } from '#lib/errors.ts';
import { readLines } from '#lib/lines.ts';
import { createRedactor, pathMap, type Redactor } from '#redact/index.ts';
import { attach, attachmentId, decodeRecord, encodeRecord, sourceLine } from '#session/codec.ts';
import type { SessionRecord } from '#session/record.ts';
import type { Adapter } from '../../../adapters/adapter.ts';
import { recordOf } from '../../../src/flows/records.ts';
import { oddJson, oddLine } from '../../support/odd-lines.ts';
import type { Input, Prover } from '../world.ts';

const ODD = 1000;

/** Every line of the session and generated ones, taken the way that a push and an import take them. */
export async function lines(input: Input, prover: Prover): Promise<void> {
  const adapter = adapterById(input.agent) as Adapter;
  const source = await adapter.open({ env: {}, home: '/nonexistent' }, input.path);
  const own: Buffer[] = [];
  for (const stream of source.streams) for await (const some of readLines(stream.path, 0, stream.end)) own.push(...some.map((line) => line.bytes));
  const odd = [...fc.sample(oddLine, { numRuns: ODD, seed: 4711 }), ...within(own)];
  for (const [what, all] of [
    [`each of ${own.length} lines of ${source.streams.length} streams comes back byte for byte`, own],
    [`each of ${odd.length} odd lines does`, odd],
  ] as const) {
    const wrong = await failing(all, async (bytes) => same(await through(bytes, adapter), bytes));
    prover.check(wrong.length === 0, what, wrong.slice(0, 3).join('\n'));
  }
  await redacted([...own, ...odd], source.cwd, adapter, prover);
}

/** The session's own lines with something odd in them: as one more field, and in place of a text. */
export function within(own: Buffer[]): Buffer[] {
  const values = fc.sample(oddJson, { numRuns: ODD, seed: 815 });
  const texts = own.map((bytes) => bytes.toString('utf8')).filter((text) => text.startsWith('{"') && text.length < 100_000);
  if (!texts.length) return [];
  return values.flatMap(({ key, value, string }, i) => {
    const text = texts[i % texts.length] as string;
    const place = /"(?:text|content|output|message|input|arguments|uuid|timestamp|cwd)":"(?:[^"\\]|\\.)*"/g;
    const places = [...text.matchAll(place)];
    const put = places[i % Math.max(1, places.length)];
    const made = [`{${key}:${value},${text.slice(1)}`, `${text.slice(0, -1)},${key}:${value}}`];
    if (put) made.push(`${text.slice(0, put.index)}${put[0].slice(0, put[0].indexOf(':'))}:${string}${text.slice(put.index + put[0].length)}`);
    return made.filter((_, n) => n === i % made.length).map((line) => Buffer.from(line, 'utf8'));
  });
}

interface Came {
  record: SessionRecord;
  line: string | Buffer;
}

/** From a line to what the store holds of it, and back. */
async function through(bytes: Buffer, adapter: Adapter, redactor?: Redactor): Promise<Came> {
  const store = new Map<string, Buffer>();
  const detach = (content: Buffer): string => {
    const id = attachmentId(content);
    store.set(id, content);
    return id;
  };
  const stored = encodeRecord(recordOf({ bytes, offset: 0, terminated: true }, 'main 0', adapter, redactor), detach);
  if (stored.includes('\n')) throw new Error('a stored record holds a line feed');
  const record = await attach(decodeRecord(Buffer.from(stored, 'utf8').toString('utf8'), 'main record 0'), async (id) => store.get(id) as Buffer);
  return { record, line: sourceLine(record) };
}

const same = ({ line }: Came, bytes: Buffer): boolean => Buffer.from(line as string).equals(bytes);

async function failing(all: readonly Buffer[], holds: (bytes: Buffer) => Promise<boolean>): Promise<string[]> {
  const wrong: string[] = [];
  for (const [i, bytes] of all.entries()) {
    const error = await holds(bytes).then(
      (ok) => (ok ? undefined : 'differs'),
      (reason: Error) => reason.message,
    );
    if (error) wrong.push(`line ${i}: ${error}: ${JSON.stringify(bytes.toString('utf8').slice(0, 300))}`);
  }
  return wrong;
}

/** With a secret in every line: all lines stay what they were in kind, and those without one come back as they were once the paths are put back. */
async function redacted(all: Buffer[], cwd: string, adapter: Adapter, prover: Prover): Promise<void> {
  const paths = pathMap({ home: '/home/somebody', roots: [{ token: 'PROJECT', path: cwd || '/home/somebody/project' }] });
  const redactor = createRedactor({ key: randomBytes(32), known: [], paths });
  const alone = await failing(all, async (bytes) => {
    const before = redactor.report().total;
    const came = await through(bytes, adapter, redactor);
    if (redactor.report().total > before) return true;
    return same({ ...came, line: sourceLine(paths.decodeRecord(came.record)) }, bytes);
  });
  prover.check(alone.length === 0, 'with paths mapped, each line without a secret comes back byte for byte', alone.slice(0, 3).join('\n'));
  const secret = `ghp_${randomBytes(40)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, 36)}`;
  const wrong = await failing(all, async (bytes) => {
    const { planted, line } = await firstThatGoes(plantings(bytes, secret), (one) => through(one, adapter, redactor));
    if (line.includes(secret)) throw new Error('the secret is still there');
    return typeof parsed(planted) !== 'object' || typeof parsed(Buffer.from(line as string)) === 'object';
  });
  prover.check(wrong.length === 0, `with a secret in each of ${all.length} lines, each unfolds to valid JSON without it`, wrong.slice(0, 3).join('\n'));
}

/** Secrets in one string after the other that is no key, then at the end of the line. */
function* plantings(bytes: Buffer, secret: string): Generator<Buffer> {
  for (let at = bytes.indexOf(':"'); at >= 0; at = bytes.indexOf(':"', at + 2))
    yield Buffer.concat([bytes.subarray(0, at + 2), Buffer.from(`${secret} `), bytes.subarray(at + 2)]);
  yield Buffer.concat([bytes, Buffer.from(` ${secret}`)]);
}

/** An id, a role, a type or a time must not be edited: a secret there stops the push. */
async function firstThatGoes<T extends object>(all: Iterable<Buffer>, go: (planted: Buffer) => Promise<T>): Promise<T & { planted: Buffer }> {
  for (const planted of all)
    try {
      return { ...(await go(planted)), planted };
    } catch (error) {
      if (!(error instanceof RelayError) || error.code !== 'secret-left') throw error;
    }
  throw new Error('no string of the line may be edited');
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
