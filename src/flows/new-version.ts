import { FORMAT, FORMAT_VERSION } from '#session/record.ts';
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
  const clean = (text: string, at: string) => redactor.text(text, 'session.json', at);
  const branch = snapshot.branch === null ? null : clean(snapshot.branch, '/code/branch');
  const former = base && !captured.fresh ? manifestOf(base) : undefined;
  const author = (work.quick && former?.author.name) || clean(await ws.authorName(), '/author');
  const kept = work.quick ? former?.session : undefined;
  const session = kept
    ? { ...kept, updated: source.updated }
    : {
        id: source.id,
        title,
        created: source.created,
        updated: source.updated,
        cwd: clean(source.cwd, '/session/cwd'),
        ...(source.branch ? { branch: clean(source.branch, '/session/branch') } : {}),
        ...(source.model ? { model: clean(source.model, '/session/model') } : {}),
      };
  const redactions = redactionSummary(former?.redactions, redactor.report());
  const manifest: Omit<Manifest, 'version' | 'streams'> = {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    relay: ws.version,
    agent: (work.quick && former?.agent) || { id: source.agent, ...(source.version ? { version: clean(source.version, '/agent/version') } : {}) },
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

const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
    .slice(0, 100) || 'session';
