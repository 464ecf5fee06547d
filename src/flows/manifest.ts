import * as z from 'zod';
import { cut } from '#lib/cut.ts';
import { RelayError } from '#lib/errors.ts';
import type { Finding } from '#redact/index.ts';
import { FORMAT, FORMAT_VERSION } from '#session/record.ts';
import type { StoredVersion } from '#store/types.ts';
import type { StoredFile } from './capture-files.ts';

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
  redactions: {
    total: number;
    byKind: Record<string, number>;
    engine: string;
    /** each value that was taken out, without it: how often, and where it stood first. Versions of before have none */
    values?: Finding[];
    /** values that are not listed, since there are so many */
    unlisted?: number;
  };
  /** the version that this session goes on from; `records`: so many of its first main records were made from that one */
  lineage?: { handoff: string; version: number; commit: string; records?: number } | undefined;
}

const count = z.number().int().min(0);
const name = z.string().min(1);
const text = z.string();

/** What the flows rely on. Fields that this relay does not know are kept. */
const schema = z.looseObject({
  agent: z.looseObject({ id: name, version: text.optional() }),
  session: z.looseObject({ id: name, title: text, created: text, updated: text, cwd: text, branch: text.optional(), model: text.optional() }),
  author: z.looseObject({ name: text, email: text.optional() }),
  code: z.looseObject({ commit: text.nullable(), tree: text.nullable(), branch: text.nullable() }),
  streams: z.array(z.looseObject({ name: text, records: count, bytes: count })),
  files: z.array(z.looseObject({ name: text, sha256: text, bytes: count })),
  leftOut: z.array(text),
  records: count,
  redactions: z.looseObject({
    total: count,
    byKind: z.record(text, count),
    engine: text.optional(),
    values: z.array(z.looseObject({ kind: text, fingerprint: text, count, record: text, path: text })).optional(),
    unlisted: count.optional(),
  }),
  lineage: z.looseObject({ handoff: name, version: count, commit: text, records: count.optional() }).optional(),
});

/** The manifest of a version. One of a newer format is refused, never half-read; what is missing or of another kind is an error that names it. */
export function manifestOf(version: StoredVersion): Manifest {
  const manifest = version.manifest as unknown as Manifest;
  const where = `${version.handoff}@${version.n}`;
  if (manifest.format !== FORMAT)
    throw new RelayError('corrupt', `${where}: session.json says format ${cut(String(JSON.stringify(manifest.format)), 80)}, not ${FORMAT}.`);
  if (typeof manifest.format_version !== 'number') throw new RelayError('corrupt', `${where}: session.json: format_version: expected a number.`);
  if (!(manifest.format_version <= FORMAT_VERSION))
    throw new RelayError(
      'unknown-format',
      `${where} is written in session format ${manifest.format_version}; this relay reads up to ${FORMAT_VERSION}.`,
      'Upgrade relay: npm install -g session-relay',
    );
  const [issue] = schema.safeParse(manifest).error?.issues ?? [];
  if (issue) throw new RelayError('corrupt', `${where}: session.json: ${cut(issue.path.join('.'), 80)}: ${issue.message.replace(/^Invalid input: /, '')}.`);
  return manifest;
}
