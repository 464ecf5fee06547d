import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { LaidOut } from './layout.ts';
import { saying } from './plant.ts';

/** Appends a prompt to a session, as its client would write it. */
export function say(session: LaidOut, text: string): void {
  appendFileSync(session.path, `${saying(session, text)}\n`);
}

/** The same session once more under another id. */
export function twin(session: LaidOut, n: number): LaidOut {
  const end = Number.parseInt(session.id.slice(-4), 16) ^ (n << 12);
  const id = session.id.slice(0, -4) + end.toString(16).padStart(4, '0');
  const path = session.path.replace(session.id, id);
  writeFileSync(path, readFileSync(session.path, 'utf8').replaceAll(session.id, id), { mode: 0o600 });
  return { ...session, id, path };
}
