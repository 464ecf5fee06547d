import { describe, expect, it, test } from 'vitest';
import { originsOf, tookAway, touched } from '#flows/origins.ts';
import type { ImportEntry } from '#flows/registry.ts';
import { localFolder } from '#git/url.ts';
import type { PurgedHandoff } from '#store/types.ts';

const entry = (to: string, from: string, version: string): ImportEntry => ({ to, from, version, folder: '', at: '' });

describe('what a session was made from', () => {
  const imports = [
    entry('codex:b', 'claude-code:a', 'ann-3f9c02/claude-code-a@2'),
    entry('claude-code:c', 'codex:b', 'codex:b#0a1b2c3d'),
    entry('codex:x', 'codex:y', 'codex:y#0a1b2c3d'),
    entry('codex:y', 'codex:x', 'codex:x#0a1b2c3d'),
  ];
  it.each([
    ['codex:b', ['codex:b'], [{ handoff: 'ann-3f9c02/claude-code-a', version: 2 }]],
    ['claude-code:c', ['claude-code:c', 'codex:b'], [{ handoff: 'ann-3f9c02/claude-code-a', version: 2 }]],
    ['codex:x', ['codex:x', 'codex:y'], []],
    ['codex:none', ['codex:none'], []],
  ])('%s', (session, sessions, versions) => expect(originsOf(imports, session)).toEqual({ sessions, versions }));
});

test('a purge takes away the versions that it names, or all that there were then, and touches those that it edited', () => {
  const purge = (over: Partial<PurgedHandoff>): PurgedHandoff => ({ handoff: 'w/s', by: 'w', at: '', last: 3, gone: false, versions: [], edited: [], ...over });
  const versions = [1, 2, 3, 4].map((version) => ({ handoff: 'w/s', version }));
  const [all, some, edited] = [purge({ gone: true }), purge({ versions: [2] }), purge({ edited: [3], versions: [1] })];
  expect([all, some, edited].map((one) => versions.map((version) => tookAway(one, version)))).toEqual([
    [true, true, true, false],
    [false, true, false, false],
    [true, false, false, false],
  ]);
  expect(versions.map((version) => touched(edited, version))).toEqual([true, false, true, false]);
  expect(tookAway(all, { handoff: 'w/other', version: 1 })).toBe(false);
});

test.each([
  ['/srv/team.git', '/srv/team.git'],
  ['../team.git', '../team.git'],
  ['./a:b.git', './a:b.git'],
  ['file:///srv/team.git', '/srv/team.git'],
  ['git@host.invalid:team.git', undefined],
  ['ssh://host.invalid/team.git', undefined],
  ['https://host.invalid/team.git', undefined],
  ['file://host.invalid/team.git', undefined],
])('%s lies on this machine: %s', (url, folder) => expect(localFolder(url)).toBe(folder));
