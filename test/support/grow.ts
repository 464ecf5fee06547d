import { readFileSync } from 'node:fs';
import { claudeTurns, codexTurns, writeLines } from './generate.ts';
import type { LaidOut } from './layout.ts';

/** Characters of a tool result in a generated turn. */
const RESULT = 6000;

/** Appends about `bytes` of further turns to a session, as its own client would write them. */
export function grow(session: Pick<LaidOut, 'agent' | 'id' | 'path' | 'cwd'>, bytes: number, step: number): void {
  const lines = take(session, bytes, `${session.id} ${step}`);
  writeLines(session.path, lines, 'a');
}

/** Appends exactly so many turns. */
export function growTurns(session: Pick<LaidOut, 'agent' | 'id' | 'path' | 'cwd'>, turns: number, step: number): void {
  writeLines(session.path, turnsOf(session, turns, `${session.id} ${step}`), 'a');
}

function* take(session: Pick<LaidOut, 'agent' | 'id' | 'path' | 'cwd'>, bytes: number, seed: string): Generator<string> {
  let size = 0;
  for (const line of turnsOf(session, 1_000_000, seed)) {
    yield line;
    size += Buffer.byteLength(line) + 1;
    if (size >= bytes) return;
  }
}

function turnsOf(session: Pick<LaidOut, 'agent' | 'id' | 'path' | 'cwd'>, turns: number, seed: string, resultSize = RESULT): Generator<string> {
  const shape = { sessionId: session.id, cwd: session.cwd, turns, resultSize, seed, start: Date.parse('2026-12-01T08:00:00.000Z') };
  if (session.agent === 'claude-code') return claudeTurns({ ...shape, parent: lastUuid(session.path) });
  return codexTurns({ ...shape, ordinal: nextOrdinal(session.path) });
}

const parsed = (path: string): Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)];
      } catch {
        return [];
      }
    });

const lastUuid = (path: string): string | null => (parsed(path).findLast((r) => typeof r.uuid === 'string' && r.isSidechain !== true)?.uuid as string) ?? null;

/** Paginated rollouts number their lines; legacy ones do not. */
function nextOrdinal(path: string): number | undefined {
  const last = parsed(path).findLast((r) => typeof r.ordinal === 'number');
  return last ? (last.ordinal as number) + 1 : undefined;
}

/** Appends turns until the session has this many generated ones and at least `bytes` bytes. */
export function growLarge(session: Pick<LaidOut, 'agent' | 'id' | 'path' | 'cwd'>, turns: number, bytes: number): void {
  writeLines(session.path, turnsOf(session, turns, `${session.id} large`, Math.ceil(bytes / turns) - 1500), 'a');
}
