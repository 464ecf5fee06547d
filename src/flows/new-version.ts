import { FORMAT, FORMAT_VERSION } from '#session/record.ts';
import type { SessionSource } from '#session/source.ts';
import type { Snapshot } from '#snapshot/index.ts';
import type { NewVersion, StoredVersion } from '#store/types.ts';
import type { Captured, CaptureState } from './capture.ts';
import { type Manifest, manifestOf } from './manifest.ts';
import type { Round } from './prepare.ts';
import { redactionSummary } from './redaction-summary.ts';
import type { Work } from './work.ts';
import type { Workspace } from './workspace.ts';

interface Parts {
  work: Work;
  round: Round;
  base: StoredVersion | null;
  captured: Captured;
  snapshot: Snapshot;
}

/** Manifest, card, trailers: everything of a version but its lines. All of it goes through the redaction. */
export async function newVersion(ws: Workspace, { work, round, base, captured, snapshot }: Parts): Promise<NewVersion> {
  const { source, store, lineage, name } = work;
  const { redactor, title } = round;
  const clean: Clean = (text, at) => redactor.text(text, 'session.json', at);
  const branch = snapshot.branch === null ? null : clean(snapshot.branch, '/code/branch');
  const former = base && !captured.fresh ? manifestOf(base) : undefined;
  // A quick push reads only what is new of a session: what its beginning says stands in the version before.
  const kept = work.quick ? former : undefined;
  const author = kept?.author.name || clean(await ws.authorName(), '/author');
  const agent = kept?.agent ?? agentOf(source, clean);
  const session = kept ? { ...kept.session, updated: source.updated } : sessionOf(source, title, clean);
  const redactions = redactionSummary(former?.redactions, redactor.report());
  const manifest: Omit<Manifest, 'version' | 'streams'> = {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    relay: ws.version,
    agent,
    session,
    author: { name: author },
    code: { commit: snapshot.head, tree: snapshot.tree, branch },
    files: captured.files,
    leftOut: source.leftOut,
    records: captured.records,
    redactions: { ...redactions, engine: redactor.id },
    ...(lineage ? { lineage } : {}),
  };
  return {
    manifest: { ...manifest },
    files: { ...snapshot, branch },
    state: captured.state satisfies CaptureState,
    card: { agent: source.agent, session: source.id, title, author, updated: source.updated },
    ...(lineage ? { parent: lineage.commit } : {}),
    ...(captured.fresh ? { replacesUnsent: true } : {}),
    subject: `relay: ${oneLine(title)}`,
    trailers: {
      'Relay-Format': String(FORMAT_VERSION),
      'Relay-Session': `${await store.writer()}/${name}`,
      'Relay-Agent': source.agent,
      'Relay-Records': String(captured.records),
      'Relay-Redactions': String(redactions.total),
      'Relay-Engine': redactor.id,
      ...(snapshot.head ? { 'Relay-Code-Commit': snapshot.head } : {}),
    },
  };
}

type Clean = (text: string, at: string) => string;

const agentOf = ({ agent, version }: SessionSource, clean: Clean): Manifest['agent'] => ({
  id: agent,
  ...(version ? { version: clean(version, '/agent/version') } : {}),
});

const sessionOf = ({ id, created, updated, cwd, branch, model }: SessionSource, title: string, clean: Clean): Manifest['session'] => ({
  id,
  title,
  created,
  updated,
  cwd: clean(cwd, '/session/cwd'),
  ...(branch ? { branch: clean(branch, '/session/branch') } : {}),
  ...(model ? { model: clean(model, '/session/model') } : {}),
});

const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 100) || 'session';
