import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { layOut } from '../support/fixtures.ts';
import { gitText } from '../support/git-text.ts';
import { lab } from '../support/lab.ts';
import { SAMPLES } from '../support/proofs.ts';
import { say } from '../support/say.ts';

/** "Look before you send" of docs/security.md. */
const world = lab('relay-look-first-');
afterAll(() => world.done());

it.each(SAMPLES)('what was missed in a session of $agent is seen in the stored text, and in no report', async ({ agent, path }) => {
  const ann = world.person(`Ann ${agent}`);
  const remote = world.bare(`remote-${agent}`);
  const checkout = world.project(ann, `${agent}/proj`, remote);
  const session = layOut(agent, path, ann.home, checkout);
  // No rule can know that this is a password.
  const missed = 'tr0mbone-Kiwi';
  say(session, `the old one was ${missed}, as you said`);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await world.relay(ann, checkout, ...args);
    return { code, holds: `${stdout}${stderr}`.includes(missed) };
  };
  expect(await run('push', 'latest', '--dry-run')).toEqual({ code: 0, holds: false });
  expect(await run('push', 'latest', '--no-send')).toEqual({ code: 0, holds: false });
  expect(await run('show', 'latest')).toEqual({ code: 0, holds: true });
  expect(await run('show', 'latest', '--json')).toEqual({ code: 0, holds: true });
  expect(gitText(remote).includes('refs/relay')).toBe(false);
  // Once it is named, it is in nothing that is sent.
  ann.env.OLD_ONE = missed;
  writeFileSync(join(checkout, '.relayrc'), '{"redact": {"known": {"names": ["OLD_ONE"]}}}');
  expect(await run('push', 'latest')).toEqual({ code: 0, holds: false });
  expect(await run('show', 'latest', '--json')).toEqual({ code: 0, holds: false });
  const sent = gitText(remote);
  expect([sent.includes('refs/relay'), sent.includes(missed)]).toEqual([true, false]);
});
