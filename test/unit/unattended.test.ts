import { expect, it } from 'vitest';
import { gitEnv, unaskingSsh, unattended } from '#git/env.ts';

it.each([
  ['ssh', 'ssh -o BatchMode=yes'],
  ['ssh -i key -o BatchMode=no', 'ssh -o BatchMode=yes -i key -o BatchMode=no'],
  ['/usr/bin/ssh -F /dev/null', '/usr/bin/ssh -o BatchMode=yes -F /dev/null'],
  ['sshpass -p x ssh', 'sshpass -p x ssh'],
  ['plink -batch', 'plink -batch'],
  ['KEY=1 ssh', 'KEY=1 ssh'],
  ['', ''],
])('%s', (command, asksNothing) => {
  expect(unaskingSsh(command)).toBe(asksNothing);
});

it('keeps what a person has set, and has the last word in what asks', () => {
  const own = { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'credential.interactive', GIT_CONFIG_VALUE_0: 'always', GIT_ASKPASS: '/bin/ask', HOME: '/home/ann' };
  const env = unattended(own);
  expect(env).toMatchObject({
    HOME: '/home/ann',
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_VALUE_0: 'always',
    GIT_CONFIG_KEY_1: 'credential.interactive',
    GIT_CONFIG_VALUE_1: 'false',
  });
  expect(env).toMatchObject({ GIT_ASKPASS: '', SSH_ASKPASS: '', SSH_ASKPASS_REQUIRE: 'never' });
  expect(unattended(env)).toBe(env);
  expect(gitEnv(env, true).GIT_TERMINAL_PROMPT).toBe('0');
  expect(gitEnv(own, true).GIT_TERMINAL_PROMPT).toBeUndefined();
});
