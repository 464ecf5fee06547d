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
  /** the version that this session goes on from */
  lineage?: { handoff: string; version: number; commit: string } | undefined;
}
