import type { Finding, RedactionReport } from './index.ts';

/** Findings that are listed; more are only counted. */
const FINDINGS_MAX = 100_000;

/** Counts what was found, each value and place once. */
export function tally() {
  const findings = new Map<string, Finding>();
  const byKind: Record<string, number> = {};
  const prints = new Set<string>();
  let [total, unlisted] = [0, 0];
  return {
    add(kind: string, fingerprint: string, record: string, path: string) {
      total++;
      prints.add(fingerprint);
      byKind[kind] = (byKind[kind] ?? 0) + 1;
      const id = `${kind} ${fingerprint} ${record} ${path}`;
      const finding = findings.get(id);
      if (finding) finding.count++;
      else if (findings.size < FINDINGS_MAX) findings.set(id, { kind, fingerprint, record, path, count: 1 });
      else unlisted++;
    },
    /** Was a value with this fingerprint counted, whether it is listed or not? */
    has: (fingerprint: string): boolean => prints.has(fingerprint),
    done: (): RedactionReport => ({
      total,
      byKind: { ...byKind },
      findings: [...findings.values()].map((one) => ({ ...one })),
      ...(unlisted ? { unlisted } : {}),
    }),
  };
}
