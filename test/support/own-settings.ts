import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Person } from './lab.ts';

/** Settings of a person for all their clones: what they say counts at once. */
export function ownSettings({ home }: Person, value: object): void {
  const folder = join(home, '.config/relay');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.jsonc'), JSON.stringify(value));
}
