import { randomBytes } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Store } from '#store/types.ts';
import { type Ended, runProgram } from '../support/processes.ts';
import { everything, files, purgingStore, reachableText, said } from '../support/purging.ts';
import { makePlace, type Place } from '../support/repos.ts';
import { grow, originOf, readAll } from '../support/sessions.ts';

/** Every so manieth call of git is where a purge is stopped: all of them take minutes. */
const STEP = 5;
const WORKER = fileURLToPath(new URL('../support/purge-worker.ts', import.meta.url));
const value = `w${randomBytes(8).toString('hex')}`;

let place: Place;
let ann: string;
let origin: string;
beforeEach(async () => {
  place = makePlace();
  origin = place.bare('origin.git');
  ann = place.clone(origin, 'ann');
  const store = await purgingStore(place, ann);
  for (const session of ['codex-one', 'codex-two']) {
    await store.append(session, grow([said('first'), said(`it is ${value}`)]));
    await store.append(session, grow([said('second')]));
  }
  await store.send(originOf(place, ann));
  // Not sent yet.
  await store.append('codex-two', grow([said(`mine, ${value}`)]));
  for (const name of ['ann', 'origin.git']) cpSync(join(place.root, name), join(place.root, 'saved', name), { recursive: true });
  place.git(place.root, 'config', '--global', 'safe.directory', '*');
});
afterEach(() => place.remove());

function restore(): void {
  for (const name of ['ann', 'origin.git']) {
    rmSync(join(place.root, name), { recursive: true, force: true });
    cpSync(join(place.root, 'saved', name), join(place.root, name), { recursive: true });
  }
}

/** A git that does something else at its n-th call: `kill` ends whoever called it, `full` says that the disk is full. */
function brokenGit(): string {
  const folder = join(place.root, 'bin');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'git'),
    `#!/bin/sh
echo x >> "$CALLS"
if [ "$(wc -l < "$CALLS")" -eq "$AT" ]; then
  case "$HOW" in
    kill) kill -9 $PPID; exit 137;;
    full) echo "fatal: write error: No space left on device" >&2; exit 128;;
  esac
fi
PATH="\${PATH#*:}" exec git "$@"
`,
  );
  chmodSync(join(folder, 'git'), 0o755);
  return folder;
}

async function purge(how = '', at = 0): Promise<Ended & { calls: number }> {
  const calls = join(place.root, 'calls');
  writeFileSync(calls, '');
  const env = { ...place.env, PATH: `${brokenGit()}:${place.env.PATH}`, CALLS: calls, HOW: how, AT: String(at) };
  const ended = await runProgram(process.execPath, ['--import', 'tsx', WORKER, ann], { cwd: process.cwd(), env, input: value });
  return { ...ended, calls: readFileSync(calls, 'utf8').length / 2 };
}

async function isClean(): Promise<Store> {
  const store = await purgingStore(place, ann);
  for (const text of [everything(store.path), files(store.home), reachableText(origin)]) expect(text.includes(value)).toBe(false);
  for (const path of [store.path, origin]) expect(place.git(path, 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
  expect((await store.versions('codex-one')).map(({ version }) => version)).toEqual([1, 2]);
  expect((await readAll(await store.open('codex-two'))).join()).toMatch(/mine, \[REDACTED:purged:/);
  return store;
}

test.each(['kill', 'full'])(
  'stopped at any step (%s), the store stays readable and a second run completes it',
  async (how) => {
    const { calls, code, stderr } = await purge();
    expect(stderr).toBe('');
    expect(code).toBe(0);
    await isClean();
    let stopped = 0;
    for (let at = 1; at <= calls; at += STEP) {
      restore();
      const broken = await purge(how, at);
      if (broken.code !== 0) stopped++;
      if (how === 'full' && broken.code !== 0) expect(broken.stderr, `call ${at}`).toMatch(/RelayError/);
      const store = await purgingStore(place, ann);
      expect((await store.list()).length, `call ${at}: ${broken.stderr}`).toBe(2);
      expect((await readAll(await store.open('codex-two'))).length).toBe(4);
      const again = await purge();
      expect(again.code, `call ${at}: ${again.stderr}`).toBe(0);
      const after = await isClean();
      // Whatever was done by the first run, what is left goes as usual.
      expect((await after.send(originOf(place, ann))).sent).toMatchObject([{ n: 3 }]);
    }
    expect(stopped).toBeGreaterThan(calls / STEP / 2);
  },
  900_000,
);
