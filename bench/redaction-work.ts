import { createHash } from 'node:crypto';
import { createRedactor, type RedactionStream, redactStream } from '#redact/index.ts';

/** What `relay redact` does: the built-in rules, secretlint, and so many values of the environment. */
export function stream(known: number): RedactionStream {
  const values = Array.from({ length: known }, (_, i) =>
    createHash('sha256')
      .update(`value ${i}`)
      .digest('base64url')
      .slice(0, 12 + (i % 20)),
  );
  return redactStream(createRedactor({ key: Buffer.alloc(32, 1), known: values.map((value) => ({ value, kind: 'known' })) }));
}
