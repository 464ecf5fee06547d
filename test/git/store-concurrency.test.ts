import { spawn } from 'node:child_process';
import { readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makePlace, type Place } from '../support/repos.ts';
import { grow, originOf, readAll, storeOf } from '../support/sessions.ts';

const WORKER = join(import.meta.dirname, '../support/append-worker.ts');
const TSX = join(import.meta.dirname, '../../node_modules/.bin/tsx');

vi.setConfig({ testTimeout: 60_000 });

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

/** `--import` keeps the worker itself the child, so that a kill hits it. */
function worker(...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', WORKER, ...args], {
    env: place.env,
    cwd: join(TSX, '../../..'),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => (out += chunk));
  child.stderr.on('data', (chunk) => (err += chunk));
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) => child.on('close', (code) => resolve({ code, out, err })));
  return { child, ended };
}

const turns = async (dir: string, session: string): Promise<{ by: string; round: number }[]> => {
  const store = await storeOf(place, dir);
  const lines = await readAll(await store.open(`${await store.writer()}/${session}`));
  return lines.map((line) => JSON.parse(line)).filter((line) => line.by);
};

test('eight processes on one session: every turn is in the last version', async () => {
  const dir = place.repo('repo');
  const done = await Promise.all(Array.from({ length: 8 }, (_, i) => worker(dir, 'codex-one', `p${i}`, '10').ended));
  expect(done.map(({ code, err }) => `${code}${err}`)).toEqual(Array.from({ length: 8 }, () => '0'));
  const all = await turns(dir, 'codex-one');
  expect(new Set(all.map(({ by, round }) => `${by} ${round}`)).size).toBe(80);
  expect(all.length).toBe(80);
  const store = await storeOf(place, dir);
  expect((await store.versions('codex-one')).map(({ version }) => version)).toEqual(Array.from({ length: 80 }, (_, i) => i + 1));
  expect(place.git(store.path, 'fsck', '--full', '--strict')).toBe('');
}, 120_000);

test('eight processes on eight sessions, beginning with no store at all', async () => {
  const dir = place.repo('repo');
  const done = await Promise.all(Array.from({ length: 8 }, (_, i) => worker(dir, `codex-s${i}`, `p${i}`, '10').ended));
  expect(done.map(({ code, err }) => `${code}${err}`)).toEqual(Array.from({ length: 8 }, () => '0'));
  for (let i = 0; i < 8; i++) expect((await turns(dir, `codex-s${i}`)).map(({ round }) => round)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const store = await storeOf(place, dir);
  expect(new Set((await store.list()).map(({ handoff }) => handoff.split('/')[0])).size).toBe(1);
  expect(place.git(store.path, 'fsck', '--full', '--strict')).toBe('');
}, 120_000);

test('eight processes of one clone push eight sessions at once: all arrive, with one index that lists them', async () => {
  const origin = place.bare('origin.git');
  const dir = place.clone(origin, 'ann');
  const done = await Promise.all(Array.from({ length: 8 }, (_, i) => worker(dir, `codex-s${i}`, `p${i}`, '3', '20', 'send').ended));
  expect(done.map(({ code, err }) => `${code}${err}`)).toEqual(Array.from({ length: 8 }, () => '0'));
  const other = await storeOf(place, place.clone(origin, 'bob'));
  const remote = originOf(place, dir);
  expect((await other.fetch(remote, { days: 1 })).updated.length).toBe(8);
  expect((await other.list()).map(({ version, records, state }) => `${version} ${records} ${state}`)).toEqual(Array.from({ length: 8 }, () => '3 60 fetched'));
  expect(place.git(origin, 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
}, 120_000);

test('killed at random points, the next append works and nothing stored is lost', async () => {
  const dir = place.repo('repo');
  const store = await storeOf(place, dir);
  await store.append('codex-one', grow(['{"by":"first","round":0}']));
  for (let kill = 0; kill < 20; kill++) {
    const { child, ended } = worker(dir, 'codex-one', `k${kill}`, '1000', '300');
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await sleep(Math.random() * 120);
    child.kill('SIGKILL');
    const { out } = await ended;
    const stored = out.split('\n').filter(Boolean).length;
    const next = await store.append('codex-one', grow([`{"by":"after","round":${kill}}`]));
    expect(next.appended).toBe(true);
    const all = await turns(dir, 'codex-one');
    expect(all.filter(({ by }) => by === `k${kill}`).length).toBeGreaterThanOrEqual(stored);
    expect(all.at(-1)).toEqual({ by: 'after', round: kill });
    expect(new Set(all.map(({ by, round }) => `${by} ${round}`)).size).toBe(all.length);
  }
  expect(place.git(store.path, 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
}, 240_000);

test('killed at random points of a push, the next push works and the remote has everything', async () => {
  const origin = place.bare('origin.git');
  const dir = place.clone(origin, 'ann');
  const store = await storeOf(place, dir);
  const remote = originOf(place, dir);
  for (let kill = 0; kill < 12; kill++) {
    const { child, ended } = worker(dir, 'codex-one', `k${kill}`, '1000', '300', 'send');
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await sleep(Math.random() * 300);
    child.kill('SIGKILL');
    const { out } = await ended;
    await store.append('codex-one', grow([`{"by":"after","round":${kill}}`]));
    await store.send(remote);
    expect(await store.unsent(remote)).toEqual([]);
    expect((await turns(dir, 'codex-one')).filter(({ by }) => by === `k${kill}`).length).toBeGreaterThanOrEqual(out.split('\n').filter(Boolean).length);
  }
  const tip = (await store.open('codex-one')).commit;
  expect(place.git(origin, 'rev-parse', `refs/relay/s/${await store.writer()}/codex-one`).trim()).toBe(tip);
  for (const repo of [store.path, origin]) expect(place.git(repo, 'fsck', '--full', '--strict', '--no-dangling')).toBe('');
}, 240_000);

test('what a killed git left behind does not stop the next append', async () => {
  const dir = place.repo('repo');
  const store = await storeOf(place, dir);
  const { ref } = await store.append('codex-one', grow(['{}']));
  writeFileSync(join(store.path, `${ref}.lock`), '');
  writeFileSync(join(store.home, 'lock', 'codex-one.lock'), JSON.stringify({ pid: 2 ** 22 + 1, host: hostname() }));
  expect((await store.append('codex-one', grow(['{}']))).n).toBe(2);
  expect(readdirSync(store.path, { recursive: true }).filter((name) => String(name).endsWith('.lock'))).toEqual([]);
}, 30_000);
