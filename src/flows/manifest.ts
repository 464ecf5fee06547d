import { RelayError } from '#lib/errors.ts';
import { FORMAT, FORMAT_VERSION } from '#session/record.ts';
import type { StoredVersion } from '#store/types.ts';
import type { StoredFile } from './capture.ts';

/** `session.json` of a version: what the session is, without its transcript. Redacted, paths as tokens. */
export interface Manifest {
  format: 'relay-session';
  format_version: number;
  /** relay's own version */
  relay: string;
  /** filled in by the store: number of this version, from 1 */
  version: number;
  agent: { id: string; version?: string };
  session: { id: string; title: string; created: string; updated: string; cwd: string; branch?: string; model?: string };
  author: { name: string; email?: string };
  /** state of the code when this version was made */
  code: { commit: string | null; tree: string | null; branch: string | null };
  /** filled in by the store */
  streams: { name: string; records: number; bytes: number }[];
  files: StoredFile[];
  /** what was left behind, in words */
  leftOut: string[];
  records: number;
  redactions: { total: number; byKind: Record<string, number>; engine: string };
  /** the version that this session goes on from; `records`: so many of its first main records were made from that one */
  lineage?: { handoff: string; version: number; commit: string; records?: number } | undefined;
}

/** The manifest of a version. One of a newer format is refused, never half-read; a missing part is an error that names it. */
export function manifestOf(version: StoredVersion): Manifest {
  const manifest = version.manifest as unknown as Manifest;
  const name = `${version.handoff}@${version.n}`;
  if (manifest.format !== FORMAT) throw new RelayError('corrupt', `${name}: session.json says format ${JSON.stringify(manifest.format)}, not ${FORMAT}.`);
  if (!(manifest.format_version <= FORMAT_VERSION))
    throw new RelayError(
      'unknown-format',
      `${name} is written in session format ${manifest.format_version}; this relay reads up to ${FORMAT_VERSION}.`,
      'Upgrade relay: npm install -g session-relay',
    );
  for (const part of REQUIRED) if (manifest[part] === undefined) throw new RelayError('corrupt', `${name}: session.json lacks ${part}.`);
  for (const part of ['id', 'title', 'cwd', 'created', 'updated'] as const)
    if (typeof manifest.session[part] !== 'string') throw new RelayError('corrupt', `${name}: session.json lacks session.${part}.`);
  return manifest;
}

const REQUIRED = ['agent', 'session', 'author', 'code', 'streams', 'files', 'leftOut', 'records', 'redactions'] as const;
