import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import git from 'isomorphic-git';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Lab, lab } from '../support/lab.ts';

/**
 * A reader written from docs/format.md alone: another Git implementation, nothing of relay's. What it puts together
 * from the remote must be the session as its client wrote it.
 */
type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
type Item = { [key: string]: Value };
interface Segmented {
  name: string;
  records: number;
  bytes: number;
  segments: [records: number, bytes: number][];
}

const steps = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
const at = (root: Value, pointer: string) => steps(pointer).reduce<Value>((value, step) => (value as Item)[step] as Value, root);

function unfold(value: Value, record: Item, root: { done: Value }, put: (made: Value) => void): void {
  if (typeof value === 'string') put(value.startsWith('=') ? pointed(value, record, root) : value);
  else if (Array.isArray(value)) {
    const list: Value[] = [];
    put(list);
    for (const item of value) unfold(item, record, root, (made) => list.push(made));
  } else if (typeof value === 'object' && value !== null) {
    const object: Item = {};
    put(object);
    for (const [key, item] of Object.entries(value))
      unfold(item, record, root, (made) => Object.defineProperty(object, key, { value: made, enumerable: true }));
  } else put(value);
}

function pointed(text: string, record: Item, root: { done: Value }): Value {
  if (text.startsWith('==')) return text.slice(1);
  if (text.startsWith('=json:')) return JSON.stringify(at(record, text.slice(6)));
  if (text.startsWith('=.')) return at(root.done, text.slice(2));
  if (!text.startsWith('=data:')) return at(record, text.slice(1));
  const block = at(record, text.slice(6)) as Item;
  return `data:${block.media_type};base64,${block.data}`;
}

function sourceLine(record: Item): string {
  if (record.type === 'raw') return String(record.text);
  if (typeof record.native === 'string') return record.native;
  const root = { done: null as Value };
  unfold(record.native as Value, record, root, (made) => {
    root.done = made;
  });
  return JSON.stringify(root.done);
}

let world: Lab;
let source: string;
let checkout: string;
let home: string;
let remote: string;
let handoff: string;
beforeAll(async () => {
  world = lab('relay-reader-');
  const ann = world.person('Ann');
  home = ann.home;
  remote = world.bare('own');
  checkout = world.project(ann, 'ann/proj', remote);
  // An image, so that something lies outside the records.
  const image = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex').toString('base64');
  const sample = readFileSync(fileURLToPath(new URL('../../demo/session.jsonl', import.meta.url)), 'utf8').replaceAll('/home/dev/work/proj', checkout);
  const first = JSON.parse(sample.split('\n').find((line) => line.includes('"type":"user"')) as string);
  const picture = {
    ...first,
    uuid: 'aaaaaaaa-0000-4000-8000-000000000001',
    message: { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: image } }] },
  };
  // Lines that do not serialise back to themselves.
  source = `${sample}${JSON.stringify(picture)}\n{"type": "odd",  "n": 1.0, "n": -0, "t": "\\u0041"}\nno JSON at all\n`;
  const folder = join(ann.home, '.claude/projects', checkout.replace(/[^a-zA-Z0-9]/g, '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, '00000002-aaaa-4bbb-8ccc-dddddddddddd.jsonl'), source);
  const pushed = await world.json<{ handoffs: { handoff: string }[] }>(ann, checkout, 'push', 'latest');
  handoff = pushed.handoffs[0]?.handoff ?? '';
});
afterAll(() => world.done());

const repository = () => ({ fs, gitdir: remote });
async function blob(path: string): Promise<Buffer> {
  const oid = await git.resolveRef({ ...repository(), ref: `refs/relay/s/${handoff}` });
  return Buffer.from((await git.readBlob({ ...repository(), oid, filepath: path })).blob);
}
const json = async (path: string) => JSON.parse((await blob(path)).toString('utf8')) as Item;

describe('what stands on the remote', () => {
  it('is found and described as docs/format.md says', async () => {
    const manifest = await json('session.json');
    expect(manifest).toMatchObject({
      format: 'relay-session',
      format_version: 1,
      handoff,
      version: 1,
      agent: { id: 'claude-code' },
      session: { cwd: '${PROJECT}' },
    });
    expect((await json('files.json')).files).toBeInstanceOf(Array);
    const [writer] = handoff.split('/');
    const card = await git.resolveRef({ ...repository(), ref: `refs/relay/index/${writer}` });
    expect(card).toMatch(/^[0-9a-f]{40}$/);
    const chain = await git.log({ ...repository(), ref: `refs/relay/s/${handoff}` });
    expect(chain.map((c) => c.commit.message.split('\n')[0]).at(-1)).toBe('relay: root of all sessions');
  });

  it('is the session, byte for byte, once paths are put back', async () => {
    const manifest = await json('session.json');
    const [main] = manifest.streams as unknown as Segmented[];
    if (!main) throw new Error('no stream');
    const parts = await Promise.all(
      main.segments.map((_, i) => blob(`transcript/main/${String(Math.floor(i / 100)).padStart(3, '0')}/${String(i).padStart(6, '0')}.jsonl`)),
    );
    expect(parts.map((part) => part.length)).toEqual(main.segments.map(([, bytes]) => bytes));
    const [header, ...lines] = Buffer.concat(parts).toString('utf8').replace(/\n$/, '').split('\n');
    expect(JSON.parse(header as string)).toEqual({ type: 'stream', format: 'relay-session', version: 1, stream: 'main', agent: 'claude-code' });
    expect(lines.length).toBe(main.records);
    const records = lines.map((line) => JSON.parse(line) as Item);
    let attachments = 0;
    for (const record of records)
      for (const [pointer, sha256, as] of (record.attached ?? []) as [string, string, BufferEncoding][]) {
        const bytes = await blob(`attachments/${sha256.slice(0, 2)}/${sha256}`);
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
        const parent = at(record, pointer.slice(0, pointer.lastIndexOf('/'))) as Item;
        parent[steps(pointer).at(-1) as string] = bytes.toString(as);
        attachments++;
      }
    expect(attachments).toBeGreaterThan(0);
    const dash = (path: string) => path.replace(/[^A-Za-z0-9]/g, '-');
    const back = records
      .map((record) => sourceLine(record))
      .map((line) =>
        line
          .replaceAll('${PROJECT:dash}', dash(checkout))
          .replaceAll('${PROJECT}', checkout)
          .replaceAll('${HOME}', home)
          .replaceAll('${HOME:dash}', dash(home)),
      );
    const wanted = source.replace(/\n$/, '').split('\n');
    expect(back.length).toBe(wanted.length);
    for (const [i, line] of back.entries()) expect(line).toBe(wanted[i]);
  });
});
