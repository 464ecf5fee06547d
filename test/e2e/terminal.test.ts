import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Lab, lab, type Person, RELAY } from '../support/lab.ts';
import { requires } from '../support/requires.ts';
import { openTerminal } from '../support/tmux.ts';

let world: Lab;
let ann: Person;
let checkout: string;
beforeAll(async () => {
  world = lab('relay-terminal-');
  ann = world.person('Ann');
  checkout = world.project(ann, 'ann/proj', world.bare('own'));
});
afterAll(() => world.done());

const folder = () => join(checkout, '.git/relay');
const terminal = (env: Record<string, string> = {}) =>
  openTerminal(['sh', '-c', `"${process.execPath}" "${RELAY}" init --remove; echo "ended with $?"; read -r _`], {
    cwd: checkout,
    env: { ...ann.env, TERM: 'xterm-256color', ...env },
    width: 100,
    height: 30,
  });
const ended = (screen: string) => screen.includes('ended with');

requires('tmux')('a question on a terminal', () => {
  it.each([
    ['y', 'ended with 0', false],
    ['n', 'ended with 130', true],
    ['Enter', 'ended with 130', true],
    ['C-c', 'ended with 130', true],
  ])('answered with %s: %s', async (key, end, kept) => {
    mkdirSync(folder(), { recursive: true });
    const shown = terminal();
    try {
      expect(await shown.until((screen) => screen.includes('Delete?'))).toContain('Delete?');
      shown.keys(key);
      expect(await shown.until(ended)).toContain(end);
      expect(existsSync(folder())).toBe(kept);
    } finally {
      shown.close();
    }
  });

  it('is not asked in CI', async () => {
    mkdirSync(folder(), { recursive: true });
    const shown = terminal({ CI: 'true' });
    try {
      const screen = await shown.until(ended);
      expect(screen).toContain('ended with 3');
      expect(screen).not.toContain('Delete?');
      expect(existsSync(folder())).toBe(true);
    } finally {
      shown.close();
    }
  });
});

it('nothing is asked without a terminal', async () => {
  mkdirSync(folder(), { recursive: true });
  const end = await world.relay(ann, checkout, 'init', '--remove');
  expect(end.code).toBe(3);
  expect(end.stderr).toContain('Add --yes.');
  expect(existsSync(folder())).toBe(true);
});
