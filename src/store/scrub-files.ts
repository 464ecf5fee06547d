import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject, type Json, parseJson, setOwn } from '#lib/json.ts';
import { writeWhole } from './files.ts';
import { plainName } from './names.ts';
import type { Scrub } from './scrub.ts';
import type { Side } from './side.ts';

/** Folders beside the store that are no files of this kind. */
const ASIDE = /^(?:store\.git|lock|beside)(?:\.[^/]*)?\//;
/** Made again where they are missing. */
const CACHE = /^(?:state\/|verdicts\.json(?:\.|$))/;
/** Settings of the user's, ids and digests: edited, they would be no such thing any more, and a clone without them redacts less. */
const FIXED = /^(?:key|(?:config|accepted|consent|learned|remotes|tombstones|writers?)\.jsonc?)(?:\.|$)|^accepted\./;

interface OwnFile {
  path: string;
  /** as seen from the folder */
  name: string;
  bytes: Buffer;
}

/** @param deep false: what lies in folders below belongs to others */
async function* filesIn(folder: string, deep: boolean): AsyncGenerator<OwnFile> {
  for (const file of await readdir(folder, { recursive: deep, withFileTypes: true }).catch(() => [])) {
    const path = join(file.parentPath, file.name);
    const name = path.slice(folder.length + 1);
    if (file.isFile() && !ASIDE.test(name)) yield { path, name, bytes: await readFile(path).catch(() => Buffer.alloc(0)) };
  }
}

/** Deletes the caches beside the store that hold the value. Nothing else is touched: for values that others teach. */
export async function dropCaches(side: Side, scrub: Scrub): Promise<void> {
  for await (const { path, name, bytes } of filesIn(side.home, true))
    if (CACHE.test(name) && (scrub.inName(plainName(name)) || scrub.holds(bytes))) await rm(path, { force: true });
}

/** Takes the value out of the files that relay keeps beside its stores: out of what they say, never out of their form. */
export async function scrubFiles(side: Side, scrub: Scrub): Promise<void> {
  await dropCaches(side, scrub);
  for (const [folder, deep] of [
    [side.home, true],
    [side.state, false],
  ] as const)
    for await (const { path, name, bytes } of filesIn(folder, deep)) {
      if (FIXED.test(name) || !scrub.holds(bytes)) continue;
      const text = bytes.toString('utf8');
      const clean = cleaned(text, scrub);
      if (clean !== text) await writeWhole(path, clean);
    }
}

/** This clone's settings that hold the value. Whoever made them has to take it out. */
export async function settingsWith(side: Side, scrub: Scrub): Promise<string[]> {
  const paths = [join(side.repository.commonDir, 'relay', 'config.jsonc'), join(side.home, 'remotes.json')];
  const held = await Promise.all(paths.map(async (path) => scrub.holds(await readFile(path).catch(() => Buffer.alloc(0)))));
  return paths.filter((_, i) => held[i]);
}

/** JSON, as a whole or line by line, or other text. */
export function cleaned(text: string, scrub: Scrub): string {
  const whole = parseJson(text);
  if (whole !== undefined) return `${JSON.stringify(withoutValue(whole, scrub))}\n`;
  return text
    .split('\n')
    .map((line) => cleanedLine(line, scrub))
    .join('\n');
}

function cleanedLine(line: string, scrub: Scrub): string {
  const value = parseJson(line);
  return value === undefined ? scrub.text(line) : JSON.stringify(withoutValue(value, scrub));
}

/** Its strings without the value; the names of its fields are relay's own. */
function withoutValue(value: Json, scrub: Scrub): Json {
  if (typeof value === 'string') return scrub.text(value);
  if (Array.isArray(value)) return value.map((one) => withoutValue(one, scrub));
  if (!isObject(value)) return value;
  const made = {};
  for (const [key, one] of Object.entries(value)) setOwn(made, key, withoutValue(one, scrub));
  return made;
}
