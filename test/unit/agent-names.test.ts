import { expect, it } from 'vitest';
import { adapterById } from '#adapters/registry.ts';

it.each([
  ['claude-code', 'claude-code'],
  ['Claude-Code', 'claude-code'],
  ['claude', 'claude-code'],
  ['CLAUDE', 'claude-code'],
  ['Codex', 'codex'],
  ['cursor', undefined],
  ['constructor', undefined],
  ['', undefined],
])('an agent called %s is %s', (name, id) => expect(adapterById(name)?.id).toBe(id));
