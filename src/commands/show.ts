import { openNamed } from '#flows/check.ts';
import { commitNamed } from '#flows/commit-name.ts';
import { sessionsOfCommit } from '#flows/commit-sessions.ts';
import { workspace } from '#flows/context.ts';
import { type Manifest, manifestOf } from '#flows/manifest.ts';
import { readRecords } from '#flows/version-records.ts';
import type { Workspace } from '#flows/workspace.ts';
import { recordPending } from '#hooks/pending.ts';
import { type Io, printJson } from '#io/io.ts';
import { bytes, count, safeLine, safeText, safeTitle } from '#report/index.ts';
import { plainText } from '#session/record.ts';
import type { StoredVersion } from '#store/types.ts';
import { noneText, unrecordedName, unrecordedText } from './commit-words.ts';

/** Characters of a message that the terminal view shows before it is cut; --json gives all. */
const SHOWN = 2000;

/** relay show <handoff or commit> */
export async function show(io: Io, name: string, options: { json?: boolean }): Promise<number> {
  const ws = await workspace(io);
  if (ws.repository) await recordPending(ws);
  const rev = await commitNamed(ws, name);
  if (rev !== undefined) return showCommit(io, ws, rev, options.json === true);
  const version = await openNamed(ws, name);
  if (options.json) printJson(io, { handoff: version.handoff, version: version.n, ...(await contentOf(version)) });
  else await print(io, ws, version);
  return 0;
}

/** Every session behind a commit, one after another; of those that are not recorded here their names. That there is none is an answer, too, as in relay log. */
async function showCommit(io: Io, ws: Workspace, rev: string, json: boolean): Promise<number> {
  const { commit, handoffs } = await sessionsOfCommit(ws, rev);
  const shown = [];
  for (const [i, one] of handoffs.entries()) {
    const version = one.version === null ? undefined : await openNamed(ws, `${one.handoff}@${one.version}`);
    if (json) shown.push({ ...one, ...(version && (await contentOf(version))) });
    else {
      if (i) io.stdout.write(`\n${'─'.repeat(40)}\n`);
      if (version) await print(io, ws, version);
      else io.stdout.write(`${unrecordedName(one)}\n`);
    }
  }
  if (json) printJson(io, { commit, handoffs: shown });
  else if (!handoffs.length) io.stdout.write(await noneText(io, ws, commit));
  else
    io.stderr.write(
      await unrecordedText(
        ws,
        handoffs.filter(({ version }) => version === null),
      ),
    );
  return 0;
}

async function contentOf(version: StoredVersion) {
  const records = [];
  for await (const { stream, record, n } of readRecords(version)) records.push({ stream, record: n, ...record, native: undefined });
  return { manifest: manifestOf(version), records };
}

async function print(io: Io, ws: Workspace, version: StoredVersion): Promise<void> {
  const manifest = manifestOf(version);
  const { session, agent, author, code, redactions } = manifest;
  io.stdout.write(
    `${safeTitle(session.title)}\n${version.handoff}@${version.n}  ${safeLine(agent.id)} ${safeLine(agent.version ?? '')}  by ${safeTitle(author.name)}\n` +
      `${safeLine(session.created)} to ${safeLine(session.updated)}  in ${safeLine(session.cwd)}  at ${code.commit ? safeLine(code.commit).slice(0, 12) : 'no commit'}${code.branch ? ` (${safeLine(code.branch)})` : ''}\n` +
      `${count(manifest.records, 'record')}, ${bytes(manifest.streams.reduce((sum, s) => sum + s.bytes, 0))}, ${count(redactions.total, 'place')} redacted\n${goesOn(manifest)}${await heldBack(ws, version)}`,
  );
  for await (const { stream, record } of readRecords(version)) {
    if (stream !== 'main' || record.type !== 'message' || record.hidden) continue;
    const text = record.content.map((b) => (b.type === 'tool_call' ? `→ ${b.name} ${JSON.stringify(b.input)}` : plainText([b]))).join('\n');
    if (text.trim()) io.stdout.write(`\n[${record.role}]\n${safeText(text.length > SHOWN ? `${text.slice(0, SHOWN)} …` : text)}\n`);
  }
}

/** That others purged it, where this clone keeps it all the same. */
async function heldBack(ws: Workspace, { handoff }: StoredVersion): Promise<string> {
  const purged = (await (await ws.store()).heldBack()).find((one) => one.handoff === handoff);
  if (!purged) return '';
  return `purged by ${safeLine(purged.by)} on ${purged.at.slice(0, 10)}: kept here, not sent any more; to remove it here too: relay purge ${handoff}\n`;
}

/** Where the session comes from, when it goes on from a handoff. */
function goesOn({ lineage }: Manifest): string {
  if (!lineage) return '';
  const made = lineage.records ? `; its first ${count(lineage.records, 'record')} were made from that` : '';
  return `goes on from ${safeLine(lineage.handoff)}@${lineage.version}${made}\n`;
}
