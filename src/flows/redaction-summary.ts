import { cut } from '#lib/cut.ts';
import type { Finding, RedactionReport } from '#redact/index.ts';
import type { Manifest } from './manifest.ts';

/** So many values are listed in a manifest. */
const VALUES_MAX = 200;
const PATH_LONGEST = 200;

type Summary = Omit<Manifest['redactions'], 'engine'>;

/** What was redacted in a version: what the stored one says, when this one goes on from it, and what was found since. */
export function redactionSummary(before: Manifest['redactions'] | undefined, now: RedactionReport): Summary {
  const byKind = { ...before?.byKind };
  for (const [kind, count] of Object.entries(now.byKind)) byKind[kind] = (byKind[kind] ?? 0) + count;
  const values = new Map((before?.values ?? []).map((value) => [idOf(value), { ...value }]));
  for (const { kind, fingerprint, count, record, path } of now.findings) {
    const known = values.get(idOf({ kind, fingerprint }));
    if (known) known.count += count;
    else values.set(idOf({ kind, fingerprint }), { kind, fingerprint, count, record, path: cut(path, PATH_LONGEST) });
  }
  const unlisted = (before?.unlisted ?? 0) + Math.max(0, values.size - VALUES_MAX);
  return { total: (before?.total ?? 0) + now.total, byKind, values: [...values.values()].slice(0, VALUES_MAX), ...(unlisted ? { unlisted } : {}) };
}

const idOf = ({ kind, fingerprint }: Pick<Finding, 'kind' | 'fingerprint'>): string => `${kind}:${fingerprint}`;
