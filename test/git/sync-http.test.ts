import { randomBytes } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { serveHttp } from '../support/http-remote.ts';
import { makePlace, type Place } from '../support/repos.ts';
import { grow, makeLines, readAll, storeOf } from '../support/sessions.ts';

vi.setConfig({ testTimeout: 60_000 });

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const password = () => `pw${randomBytes(9).toString('hex')}`;

function expectNowhere(folder: string, secret: string): void {
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (file.isFile()) expect(readFileSync(join(file.parentPath, file.name)).includes(secret), file.name).toBe(false);
  }
}

test('a password in the remote address works and is written nowhere', async () => {
  const secret = password();
  place.git(place.bare('origin.git'), 'config', 'http.receivepack', 'true');
  const server = await serveHttp(place.root, place.env, { user: 'ann', password: secret });
  try {
    const url = `http://ann:${secret}@${server.host}/origin.git`;
    const dir = place.repo('repo');
    place.git(dir, 'remote', 'add', 'origin', url);
    const store = await storeOf(place, dir);
    const lines = makeLines(400);
    await store.append('codex-one', grow(lines));
    const remote = { name: 'origin', url };
    expect((await store.send(remote)).bytes).toBeGreaterThan(20_000);
    expect(await store.send(remote)).toEqual({ sent: [], bytes: 0 });
    const other = await storeOf(place, place.repo('other'));
    await other.fetch({ url }, { days: 1 });
    expect(await readAll(await other.open('codex-one'))).toEqual(lines);
    await other.fetch({ url }, { days: 1 });
    for (const folder of [store.home, other.home, join(place.root, 'home/state')]) expectNowhere(folder, secret);
    const wrong = `http://ann:${secret}x@${server.host}/origin.git`;
    const refused = await other.fetch({ url: wrong }, { days: 1 }).catch((error: Error) => error);
    expect(refused).toMatchObject({ code: 'failed', message: expect.stringContaining('could not log in') });
    expect(JSON.stringify(refused) + String(refused)).not.toContain(secret);
  } finally {
    await server.close();
  }
});

test('the login that the users own environment brings is used', async () => {
  const secret = password();
  place.git(place.bare('origin.git'), 'config', 'http.receivepack', 'true');
  const server = await serveHttp(place.root, place.env, { user: 'ann', password: secret });
  try {
    const ask = join(place.root, 'ask.sh');
    writeFileSync(ask, '#!/bin/sh\ncase "$1" in Username*) echo ann;; *) echo "$THE_PASSWORD";; esac\n');
    chmodSync(ask, 0o755);
    Object.assign(place.env, { GIT_ASKPASS: ask, THE_PASSWORD: secret });
    const dir = place.repo('repo');
    const store = await storeOf(place, dir);
    await store.append('codex-one', grow(['{}']));
    expect((await store.send({ url: `http://${server.host}/origin.git` })).sent.length).toBe(1);
  } finally {
    await server.close();
  }
});
