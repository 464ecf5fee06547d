import { createHash } from 'node:crypto';
import type { SessionCard } from '#session/source.ts';

/** Longest name of a session in a ref. */
const LONGEST = 100;

/**
 * Name of a session's relay branch: `<agent>-<native id>`, lower case, other characters than [a-z0-9-] as `_xx` of
 * their UTF-8 bytes, cut at 100 with a digest. The native id itself stands in the manifest.
 */
export function sessionRef(card: Pick<SessionCard, 'agent' | 'id'>): string {
  const plain = `${card.agent}-${card.id}`.toLowerCase();
  const safe = plain.replace(/[^a-z0-9-]/gu, (c) => [...Buffer.from(c)].map((byte) => `_${byte.toString(16).padStart(2, '0')}`).join(''));
  if (safe.length <= LONGEST) return safe;
  return `${safe.slice(0, LONGEST - 13)}-${createHash('sha256').update(plain).digest('hex').slice(0, 12)}`;
}
