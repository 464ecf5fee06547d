import { randomBytes } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { hostname } from 'node:os';
import { relative, sep } from 'node:path';
import { gitEnv } from '#git/env.ts';
import { placeIn } from '#git/repository.ts';
import { git } from '#git/run.ts';
import { disorderLayer } from '#redact/context/disorder.ts';
import { fingerprints, type KnownValue, knownValues, type Layer, type PathMap, pathMap, type RedactionOptions } from '#redact/index.ts';
import { type Allow, createAllow, knownOnly } from '#redact/settings/allow.ts';
import { customLayer } from '#redact/settings/custom.ts';
import { type Own, personalLayer } from '#redact/settings/pii.ts';
import { rememberedLayers } from './remembered.ts';
import { secretFiles } from './secret-files.ts';
import type { Workspace } from './workspace.ts';

/** Path tokens of a project on this machine, and back. A home that is reached through a link has two names. */
export async function pathsOf(ws: Workspace, root: string): Promise<PathMap> {
  const real = await realpath(ws.home).catch(() => ws.home);
  return pathMap({ home: real === ws.home ? ws.home : [ws.home, real], roots: [{ token: 'PROJECT', path: root }] });
}

/** What is looked for in what leaves this clone: the same for the redactor and for the gate. Outside of a clone there is a key for this run only. */
export async function redactionOf(ws: Workspace, root = ws.repository?.workTree): Promise<RedactionOptions> {
  const key = ws.repository ? await (await ws.store()).key() : randomBytes(32);
  return {
    key,
    known: await knownSecrets(ws, root),
    layers: [...(await layersOf(ws)), ...(ws.repository ? await rememberedLayers(await ws.store(), key) : [])],
    allowed: allowedOf(ws, key),
  };
}

async function layersOf(ws: Workspace): Promise<Layer[]> {
  const { rules, pii, paranoid } = ws.settings.redact;
  const layers: Layer[] = [];
  if (rules.length) layers.push(customLayer(rules));
  if (pii.length) layers.push(personalLayer(pii, await ownNames(ws)));
  if (paranoid) layers.push(disorderLayer);
  return layers;
}

/** How the user and the machine are called. */
async function ownNames({ env, repository, cwd }: Workspace): Promise<Own> {
  const inGit = (name: string) =>
    git(repository ? placeIn(repository, gitEnv(env)) : { env: gitEnv(env), cwd }, ['config', '--default', '', '--get', name]).catch(() => '');
  const names = [env.USER, env.LOGNAME, env.USERNAME, await inGit('user.name'), await inGit('user.email')];
  return { host: hostname(), users: [...new Set(names.flatMap((name) => name?.trim() || []))].sort() };
}

function allowedOf({ settings }: Workspace, key: Buffer): Allow | undefined {
  const { allow } = settings.redact;
  return Object.values(allow).some((list) => list.length) ? createAllow(allow, fingerprints(key)) : undefined;
}

/** The same for a file that is no session, where redact.allow.paths may name it. */
export function redactionIn(file: string, { repository }: Workspace, options: RedactionOptions): RedactionOptions {
  const { allowed } = options;
  const root = repository?.workTree;
  if (root === undefined || !allowed?.place?.(relative(root, file).split(sep).join('/'))) return options;
  return { ...options, allowed: knownOnly(allowed) };
}

const known = new WeakMap<Workspace, Map<string | undefined, Promise<KnownValue[]>>>();

/** Values of the user's environment, .env files and the like; the same all through one command. In memory only. */
export function knownSecrets(ws: Workspace, root = ws.repository?.workTree): Promise<KnownValue[]> {
  const byRoot = known.get(ws) ?? new Map<string | undefined, Promise<KnownValue[]>>();
  known.set(ws, byRoot);
  const found = byRoot.get(root) ?? readKnown(ws, root);
  byRoot.set(root, found);
  return found;
}

async function readKnown({ env, home, settings }: Workspace, root: string | undefined): Promise<KnownValue[]> {
  const { names, files } = settings.redact.known;
  const named = names.flatMap((name) => env[name] ?? []).map((value) => ({ value, kind: 'known' }));
  return [...knownValues(env, await secretFiles({ env, home, root, named: files })), ...named];
}
