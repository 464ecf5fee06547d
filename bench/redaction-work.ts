import { createHash } from 'node:crypto';
import { slot as claude } from '#adapters/claude-code/slots.ts';
import { slot as codex } from '#adapters/codex/slots.ts';
import { RelayError } from '#lib/errors.ts';
import type { JsonObject } from '#lib/json.ts';
import { type createRedactor, pathMap, type Redactor } from '#redact/index.ts';

export const PROJECT = '/home/dev/src/ledger';

/** What a push looks for: the built-in rules, secretlint, paths, and so many values of the environment. */
export function options(known: number): Parameters<typeof createRedactor>[0] {
  const values = Array.from({ length: known }, (_, i) =>
    createHash('sha256')
      .update(`value ${i}`)
      .digest('base64url')
      .slice(0, 12 + (i % 20)),
  );
  return {
    key: Buffer.alloc(32, 1),
    known: values.map((value) => ({ value, kind: 'known' })),
    paths: pathMap({ home: '/home/dev', roots: [{ token: 'PROJECT', path: PROJECT }] }),
  };
}

/** A line of either agent, with the slots of its own. A secret where an agent has none stops a push; here the line is treated as any other. */
export function redactedLine(redactor: Redactor, line: string, n: number): string {
  const record = JSON.parse(line) as JsonObject;
  try {
    return JSON.stringify(redactor.record(record, `main ${n}`, 'payload' in record ? codex : claude));
  } catch (error) {
    if (!(error instanceof RelayError)) throw error;
    return redactor.line(line, `main ${n}`, () => undefined);
  }
}
