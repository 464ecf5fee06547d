import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { makePlace, type Place } from '../support/repos.ts';
import { grow, HEADER, makeLines, originOf, storeOf } from '../support/sessions.ts';

vi.setConfig({ testTimeout: 120_000 });

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);

test('a session that grows with a push after each step: sent and stored stay near its compressed size', async () => {
  const dir = place.clone(place.bare('origin.git'), 'work');
  const store = await storeOf(place, dir);
  const remote = originOf(place, dir);
  const steps = Array.from({ length: 16 }, (_, i) => makeLines(230, `step ${i}`));
  let sent = 0;
  for (const lines of steps) {
    await store.append('codex-one', grow(lines));
    const { bytes } = await store.send(remote);
    expect(bytes).toBeGreaterThan(0);
    sent += bytes;
  }
  const final = deflateSync(Buffer.from(steps.flat().join('\n')), { level: 6 }).length;
  expect(sent).toBeLessThanOrEqual(1.5 * final);
  expect(sizeOf(store.path)).toBeLessThanOrEqual(3 * final);
});

test('a large session goes through with little memory', async () => {
  const dir = place.clone(place.bare('origin.git'), 'work');
  const store = await storeOf(place, dir);
  const block = makeLines(1000, 'block');
  const before = process.memoryUsage().rss;
  let peak = before;
  await store.append('codex-one', async (base, writer) => {
    const built = grow([])(base, writer);
    const main = writer.stream('more', 0, HEADER);
    for (let i = 0; i < 50; i++) {
      for (const line of block) main.write(line.replace('"n":', `"round":${i},"n":`));
      await writer.drained();
      peak = Math.max(peak, process.memoryUsage().rss);
    }
    return built;
  });
  let records = 0;
  for await (const _ of (await store.open('codex-one')).lines('more')) if (++records % 1000 === 0) peak = Math.max(peak, process.memoryUsage().rss);
  expect(records).toBe(50_000);
  expect(peak - before).toBeLessThan(150 * 1024 * 1024);
});
