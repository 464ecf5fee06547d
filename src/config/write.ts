import { mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import type { Json } from '#lib/json.ts';
import { readRegularText } from '#lib/regular.ts';
import { parseSettings } from './file.ts';

/**
 * Sets (or with undefined removes) one setting in a settings file; comments and layout of the rest stay.
 * @param key dotted path, e.g. store.remote
 */
export async function writeSetting(path: string, key: string, value: Json | undefined): Promise<void> {
  const text = await readRegularText(path).catch(() => '{}\n');
  parseSettings(text, path);
  const edited = applyEdits(text, modify(text, key.split('.'), value, { formattingOptions: { insertSpaces: true, tabSize: 2 } }));
  parseSettings(edited, path);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  await file.writeFile(edited);
  await file.sync();
  await file.close();
  await rename(temporary, path);
}
