import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SecretFile } from './known.ts';

const WANTED = /^(?:\.env(?:[._-][\w.-]+)?|\.npmrc|\.netrc)$/;
/** A template says which secrets there are, not what they are. */
const TEMPLATE = /(?:example|sample|template|dist|defaults?)$/i;
/** No such file is larger; something else that has the name is not read. */
const LARGEST = 1024 * 1024;

/** Reads .env*, .npmrc and .netrc of the given folders into memory. What is missing or cannot be read is left out. */
export async function secretFiles(folders: readonly string[]): Promise<SecretFile[]> {
  const out: SecretFile[] = [];
  for (const folder of new Set(folders)) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names.filter((one) => WANTED.test(one) && !TEMPLATE.test(one)).sort()) {
      const path = join(folder, name);
      const text = await stat(path)
        .then((info) => (info.isFile() && info.size <= LARGEST ? readFile(path, 'utf8') : undefined))
        .catch(() => undefined);
      if (text !== undefined) out.push({ name, text });
    }
  }
  return out;
}
