import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { client } from './clients.ts';
import { type Lab, type Person, RELAY } from './lab.ts';

/** Puts relay, and the real Codex where it is installed, on a person's PATH, as an installation would. Answers that PATH. */
export function onPath(lab: Lab, person: Person): string {
  const bin = join(lab.root, 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'relay'), `#!/bin/sh\nexec "${process.execPath}" "${RELAY}" "$@"\n`, { mode: 0o755 });
  const codex = client('codex');
  if (codex) symlinkSync(codex, join(bin, 'codex'));
  person.env.PATH = `${bin}:${person.env.PATH}`;
  return person.env.PATH;
}

/** Asks again until the answer is there, for what a detached worker does in its own time; the last answer. */
export async function eventually<T>(ask: () => Promise<T>, isThere: (answer: T) => boolean, ms = 15_000): Promise<T> {
  const end = Date.now() + ms;
  for (;;) {
    const answer = await ask();
    if (isThere(answer) || Date.now() > end) return answer;
    await sleep(200);
  }
}
