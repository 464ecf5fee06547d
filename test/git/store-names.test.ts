import { expect, test } from 'vitest';
import { gitEnv, withConfig } from '#git/env.ts';
import { segmentPath, sessionName, writerSlug } from '#store/names.ts';

test.each([
  ['codex', '019a-0f3c', 'codex-019a-0f3c'],
  ['pi', 'a b/ü', 'pi-a_20b_2f_c3_bc'],
])('%s session %s is named %s', (agent, id, name) => {
  expect(sessionName(agent, id)).toBe(name);
});

test('ids that differ only in capitals or beyond the cut get different names that a ref can hold', () => {
  const ids = ['ses_AbC', 'ses_aBc', 'x'.repeat(300), `${'x'.repeat(300)}y`, '../../etc', 'a.lock', '会话'];
  const names = ids.map((id) => sessionName('opencode', id));
  expect(new Set(names).size).toBe(ids.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9_-]{0,127}$/);
});

test.each([
  ['Ann Example', 'ann-example'],
  ['Jörg Ääkkönen', 'jorg-aakkonen'],
  ['王小明', 'user'],
  ['', 'user'],
])('the writer of %s is called %s', (name, slug) => {
  expect(writerSlug(name)).toBe(slug);
});

test('no stream name leads out of its folder', () => {
  const names = ['main', 'agent/a61f', '../../x', 'agent/.git', '/abs', 'a//b', 'x/000', 'A_b', ''];
  const paths = names.map((name) => segmentPath(name, 250));
  expect(paths.slice(0, 2)).toEqual(['transcript/main/002/000250.jsonl', 'transcript/agent/a61f/002/000250.jsonl']);
  expect(new Set(paths).size).toBe(names.length);
  for (const path of paths) for (const step of path.split('/')) expect(step).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/);
});

test('git gets no variable that redirects it, but those that it logs in with', () => {
  const env = gitEnv({
    GIT_DIR: 'x',
    GIT_INDEX_FILE: 'x',
    GIT_AUTHOR_DATE: 'x',
    GIT_SSH_COMMAND: 'ssh -i k',
    GIT_ASKPASS: 'a',
    GIT_CONFIG_GLOBAL: 'g',
    HOME: '/h',
  });
  expect(env).toEqual({
    GIT_SSH_COMMAND: 'ssh -i k',
    GIT_ASKPASS: 'a',
    GIT_CONFIG_GLOBAL: 'g',
    HOME: '/h',
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
  });
  expect(gitEnv({}, true).GIT_TERMINAL_PROMPT).toBeUndefined();
});

test('added settings come before those of the users own environment, which win', () => {
  expect(withConfig({ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'http.proxy', GIT_CONFIG_VALUE_0: 'mine' }, [['http.proxy', 'repository']])).toEqual({
    GIT_CONFIG_COUNT: '2',
    GIT_CONFIG_KEY_0: 'http.proxy',
    GIT_CONFIG_VALUE_0: 'repository',
    GIT_CONFIG_KEY_1: 'http.proxy',
    GIT_CONFIG_VALUE_1: 'mine',
  });
});
