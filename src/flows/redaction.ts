import { randomBytes } from 'node:crypto';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readRegularText } from '#lib/regular.ts';
import { type KnownValue, knownValues, type PathMap, pathMap, type RedactionOptions } from '#redact/index.ts';
import type { Workspace } from './workspace.ts';

/** Larger files than this are no settings. */
const LARGEST = 1024 * 1024;

/** Path tokens of a project on this machine, and back. A home that is reached through a link has two names. */
export async function pathsOf(ws: Workspace, root: string): Promise<PathMap> {
  const real = await realpath(ws.home).catch(() => ws.home);
  return pathMap({ home: real === ws.home ? ws.home : [ws.home, real], roots: [{ token: 'PROJECT', path: root }] });
}

/** What is looked for in what leaves this clone: the same for the redactor and for the gate. Outside of a clone there is a key for this run only. */
export async function redactionOf(ws: Workspace, root = ws.repository?.workTree): Promise<RedactionOptions> {
  return { key: ws.repository ? await (await ws.store()).key() : randomBytes(32), known: await knownSecrets(ws, root) };
}

/** Values of the user's environment, .env files and the like. In memory only. */
export async function knownSecrets(ws: Workspace, root = ws.repository?.workTree): Promise<KnownValue[]> {
  const { names, files } = ws.settings.redact.known;
  const paths = [join(ws.home, '.npmrc'), join(ws.home, '.netrc'), ...(root ? [join(root, '.npmrc'), ...(await envFiles(root))] : []), ...files];
  const texts = await Promise.all([...new Set(paths)].map(async (path) => ({ name: basename(path), text: await smallText(path) })));
  const named = names.flatMap((name) => ws.env[name] ?? []).map((value) => ({ value, kind: 'known' }));
  return [...knownValues(ws.env, texts), ...named];
}

const envFiles = async (root: string): Promise<string[]> =>
  (await readdir(root).catch(() => [])).filter((name) => name.startsWith('.env')).map((name) => join(root, name));

async function smallText(path: string): Promise<string> {
  const info = await stat(path).catch(() => undefined);
  return info?.isFile() && info.size <= LARGEST ? readRegularText(path).catch(() => '') : '';
}
