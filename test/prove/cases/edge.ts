import { isUtf8 } from 'node:buffer';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathMap } from '#redact/index.ts';
import { attach, decodeRecord, sourceLine } from '#session/codec.ts';
import { type EdgeSession, edgeSessions } from '../../support/edge-sessions.ts';
import { dashed } from '../../support/layout.ts';
import { type Installed, installed, requestItems } from '../../support/resume.ts';
import { type ImportJson, type Input, inWorld, type Prove, type Prover, type PushJson, type World, writeFileAt } from '../world.ts';

const AGENTS = ['claude-code', 'codex'] as const;

/** Sessions with something odd are pushed, read and imported whole, or refused in words; the real client resumes some of them. */
export const prove: Prove = async (input, prover) => {
  await edges(input, prover, { resume: true });
};

interface Case {
  id: string;
  cwd: string;
  path: string;
  session: EdgeSession;
  handoff?: string;
}

/** `resume`: also by the real client, which must be installed. `only`: names of the sessions to play. */
export const edges = (input: Input, prover: Prover, options: { resume: boolean; only?: RegExp }): Promise<void> =>
  inWorld(input, prover, async (w) => {
    const cases = layOutCases(w, input).filter(({ session }) => !options.only || options.only.test(session.name));
    for (const command of [['sessions'], ['sessions', '--all'], ['status']]) {
      const ended = await w.relay(w.ann, w.annProject, ...command, '--json');
      prover.check(ended.code === 0, `relay ${command.join(' ')} works beside all of them`, ended.stderr);
    }
    for (const one of cases) await push(w, one, prover);
    await w.json(w.bob, w.bobProject, 'pull');
    const clients = new Map<string, Installed>();
    if (options.resume) clients.set(prover.to, await installed(w.bob, prover.to));
    for (const one of cases) for (const agent of AGENTS) await bring(w, one, agent, prover, clients.get(agent));
    for (const client of clients.values()) await client.close();
  });

function layOutCases(w: World, input: Input): Case[] {
  let serial = 0;
  let last = { folder: undefined as string | undefined, id: '', cwd: '' };
  const place = (folder?: string) => {
    if (folder !== undefined && folder === last.folder) return last;
    const cwd = folder === undefined ? w.annProject : join(w.annProject, folder);
    mkdirSync(cwd, { recursive: true });
    if (folder !== undefined) mkdirSync(join(w.bobProject, folder), { recursive: true });
    last = { folder, id: `01a30000-0000-7000-8000-0000000000${String(serial++).padStart(2, '0')}`, cwd };
    return last;
  };
  const first = readFileSync(w.session.path, 'utf8').split('\n', 1)[0];
  return edgeSessions(input.agent, place, input.agent === 'codex' ? first : undefined).map(({ id, cwd, session }) => {
    const name = input.agent === 'codex' ? `.codex/sessions/2026/03/01/rollout-2026-03-01T08-00-00-${id}.jsonl` : `.claude/projects/${dashed(cwd)}/${id}.jsonl`;
    return { id, cwd, session, path: writeFileAt(join(w.ann.home, name), session.bytes) };
  });
}

/** True for a refusal in words: the right exit code, what and where, no bug's message and no stack. */
function refused(ended: { code: number | string | null; stdout: string; stderr: string }): boolean {
  if (![1, 2, 3].includes(ended.code as number) || /Unexpected error|^\s+at .*:\d+/m.test(ended.stderr)) return false;
  const told = JSON.parse(ended.stderr.trim().split('\n').at(-1) ?? '{}').error;
  return typeof told?.code === 'string' && typeof told.message === 'string' && told.message.length > 20;
}

async function push(w: World, one: Case, prover: Prover): Promise<void> {
  const { name, refusable, bytes } = one.session;
  const ended = await w.relay(w.ann, w.annProject, 'push', one.path, '--json');
  if (ended.code !== 0) return prover.check(refusable === true && refused(ended), `${name}: push refuses it in words`, `${ended.code} ${ended.stderr}`);
  one.handoff = (JSON.parse(ended.stdout) as PushJson).handoffs[0]?.handoff ?? '';
  const shown = await w.relay(w.ann, w.annProject, 'show', one.handoff, '--json');
  const wanted = linesOf(bytes);
  const records = shown.code === 0 ? (JSON.parse(shown.stdout) as { records: unknown[] }).records.length : -1;
  prover.check(records === wanted.length, `${name}: show has all of its ${wanted.length} lines`, `${records} ${shown.stderr}`);
  const stored = await storedLines(w, one.handoff);
  const wrong = wanted.findIndex((line, i) => !stored[i]?.equals(line));
  prover.check(
    wrong < 0 && stored.length === wanted.length,
    `${name}: the store has each line byte for byte`,
    `line ${wrong} of ${wanted.length}; ${stored.length} stored: ${JSON.stringify(stored[wrong]?.toString('latin1').slice(0, 300))}`,
  );
}

/** Lines without their line feed; a last one that has none too. */
function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
    lines.push(bytes.subarray(from, at));
    from = at + 1;
  }
  if (from < bytes.length) lines.push(bytes.subarray(from));
  return lines;
}

/** The main stream's source lines as the remote has them, with Ann's paths put back. */
async function storedLines(w: World, handoff: string): Promise<Buffer[]> {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: w.remote, maxBuffer: 1 << 28 });
  const ref = `refs/relay/s/${handoff}`;
  const segments = git('ls-tree', '-r', '--name-only', ref, 'transcript/main/').toString().trim().split('\n').sort();
  const text = Buffer.concat(segments.map((path) => git('cat-file', 'blob', `${ref}:${path}`))).toString('utf8');
  const paths = pathMap({ home: w.ann.home, roots: [{ token: 'PROJECT', path: w.annProject }] });
  const lines: Buffer[] = [];
  for (const line of text.trimEnd().split('\n').slice(1)) {
    const record = await attach(decodeRecord(line, 'stored'), async (id) => git('cat-file', 'blob', `${ref}:attachments/${id.slice(0, 2)}/${id}`));
    lines.push(Buffer.from(sourceLine(paths.decodeRecord(record)) as string));
  }
  return lines;
}

async function bring(w: World, one: Case, agent: (typeof AGENTS)[number], prover: Prover, client: Installed | undefined): Promise<void> {
  const { name, texts, refusable, resume } = one.session;
  if (!one.handoff) return;
  const ended = await w.relay(w.bob, w.bobProject, 'import', one.handoff, '--to', agent, '--json');
  if (ended.code !== 0)
    return prover.check(refusable === true && refused(ended), `${name}: import to ${agent} refuses it in words`, `${ended.code} ${ended.stderr}`);
  const imported = JSON.parse(ended.stdout) as ImportJson;
  const lines = linesOf(readFileSync(imported.path)).map((line) => line.toString('utf8'));
  const all = lines.flatMap((line) => [line, ...jsonTexts(line)]).join('\n');
  const missing = texts.filter((text) => !all.includes(text));
  prover.check(missing.length === 0, `${name}: imported to ${agent} with all of its texts`, `missing: ${missing.join(', ')} in ${imported.path}`);
  const odd = linesOf(one.session.bytes).filter((line) => line.length > 0 && !isRecord(line)).length;
  const told = imported.loss.filter((l) => l.kind === 'unreadable-line').length;
  if (agent !== w.session.agent) {
    prover.check(
      lines.every((line) => line === '' || isRecord(Buffer.from(line))),
      `${name}: every line for ${agent} is a JSON object`,
    );
    prover.check(told === odd, `${name}: the report names its ${odd} lines that are no records`, JSON.stringify(imported.loss).slice(0, 500));
  } else prover.check(told === 0, `${name}: the report says of no line that it was left out`, JSON.stringify(imported.loss).slice(0, 500));
  if (!resume || !client) return;
  const request = JSON.stringify(requestItems(await client.resume(imported)));
  const unsent = texts.filter((text) => !request.includes(text));
  prover.check(unsent.length === 0, `${name}: the real ${agent} resumes it`, `the request lacks ${unsent.join(', ')}`);
}

/** JSON within JSON, such as the arguments of a call. */
const jsonTexts = (line: string): string[] => (line.includes('\\"') ? [line.replaceAll('\\"', '"')] : []);

function isRecord(line: Buffer): boolean {
  try {
    const value = isUtf8(line) && JSON.parse(line.toString('utf8').replace(/^\ufeff/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
