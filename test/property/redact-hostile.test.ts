import { expect, test } from 'vitest';
import { KNOWN, runHostile } from '../support/hostile-run.ts';
import { HOSTILE, hostileText } from '../support/hostile-texts.ts';

/** The prove case `hostile` takes 1 MB of each and looks at the time. Here what takes the square of it would run into the deadline. */
test.each(Object.keys(HOSTILE))('%s', (name) => {
  const { ms, wrong } = runHostile(hostileText(name, 60_000, name, KNOWN));
  expect(wrong).toEqual([]);
  expect(Math.max(...Object.values(ms))).toBeLessThan(5000);
});
