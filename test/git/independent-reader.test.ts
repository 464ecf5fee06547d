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

const blocks = (content: Value): Value[] =>
  (Array.isArray(content) ? content : [content]).map((block) => {
    if (typeof block === 'string') return { type: 'text', text: block };
    const item = block as Item;
    if (item.type !== undefined) return item;
    return 'input' in item ? { type: 'tool_call', ...item } : { type: 'tool_result', ...item, content: blocks(item.content as Value) };
  });

/** The record with what its line leaves out. */
function whole({ type, id, parent, time, ...rest }: Item): Item {
  const record: Item = { type: type ?? ('role' in rest ? 'message' : 'event'), ...rest };
  if (record.type === 'message') record.content = blocks(rest.content as Value);
  if (Array.isArray(rest.view)) record.view = rest.view.map((entry) => ({ ...(entry as Item), content: blocks((entry as Item).content as Value) }));
  for (const [field, given, key] of [
    ['id', id, 'uuid'],
    ['parent', parent, 'parentUuid'],
    ['time', time, 'timestamp'],
  ] as const) {
    const native = typeof rest.native === 'object' && rest.native !== null ? (rest.native as Item)[key] : undefined;
    const said = given ?? ((typeof native === 'string' && !native.startsWith('=')) || (native === null && field === 'parent') ? native : undefined);
    const value = given === null ? null : said;
    if (value !== undefined && value !== false) record[field] = value;
  }
  return record;
}

/** Strings and containers of a value in document order. */
function count(value: Value, strings: string[], containers: Value[]): void {
  if (typeof value === 'string') strings.push(value);
  if (typeof value !== 'object' || value === null) return;
  containers.push(value);
  for (const item of Object.values(value)) count(item as Value, strings, containers);
}

function unfold(value: Value, pointed: (text: string) => Value): Value {
  if (typeof value === 'string') return pointed(value);
  if (Array.isArray(value)) return value.map((item) => unfold(item, pointed));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, unfold(item, pointed)]));
}

function pointers(record: Item): (text: string) => Value {
  const strings: string[] = [];
  const containers: Value[] = [];
  for (const [key, value] of Object.entries(record)) if (key !== 'native' && key !== 'attached') count(value, strings, containers);
  const own: Value[] = [];
  const lookUp = (text: string): Value => {
    if (!text.startsWith('=')) return text;
    if (text.startsWith('==')) return text.slice(1);
    const number = Number(/\d+$/.exec(text)?.[0]);
    if (text[1] === '.') return own[number] as Value;
    if (text[1] === 'o') return containers[number] as Value;
    if (text[1] === 'j') return JSON.stringify(containers[number]);
    if (text[1] !== 'd') return strings[number] as Value;
    const block = containers[number] as Item;
    return `data:${block.media_type};base64,${block.data}`;
  };
  return (text) => {
    const made = lookUp(text);
    own.push(made);
    return made;
  };
}

function sourceLine(record: Item): string {
  if (record.type === 'raw') return String(record.text);
  if (typeof record.native === 'string') return record.native;
  return JSON.stringify(unfold(record.native as Value, pointers(record)));
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
    const records = lines.map((line) => whole(JSON.parse(line)));
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
