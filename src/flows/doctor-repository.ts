import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { showValue } from '#config/index.ts';
import { gitEnv } from '#git/env.ts';
import { lastWords, tryGit } from '#git/run.ts';
import { withoutUserinfo } from '#git/url.ts';
import { commandLine } from '#lib/command-line.ts';
import { RelayError } from '#lib/errors.ts';
import type { Store } from '#store/types.ts';
import { decliningOf, fileAsking } from './accepted.ts';
import type { Check, DoctorOptions, Seen } from './doctor.ts';
import { type Recording, waitingAsWords, whyNotRecording } from './recording.ts';
import { sentToAndFrom } from './sent-to.ts';
import type { Status } from './status.ts';
import { needRepository, rootOf, type Workspace } from './workspace.ts';

/** Everything about this clone, in the order in which one thing needs the other. */
export async function repositoryChecks(ws: Workspace, { recording, store, status }: Seen, options: DoctorOptions): Promise<Check[]> {
  const [git, key, remote] = await Promise.all([gitCheck(ws), keyCheck(await ws.store()), remoteCheck(ws, options)]);
  return [
    git,
    store,
    key,
    ...settingsChecks(ws),
    remote,
    ...hookChecks(recording),
    ...recordingChecks(ws, recording),
    ...(status ? sendingChecks(status) : []),
  ];
}

/** The oldest version that relay is tested with. */
const TESTED = [2, 39] as const;

async function gitCheck(ws: Workspace): Promise<Check> {
  const { stdout } = await tryGit({ env: gitEnv(ws.env), cwd: ws.cwd }, ['--version']);
  const version = /\d+(?:\.\d+)+/.exec(stdout.toString('utf8'))?.[0] ?? '';
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < TESTED[0] || (major === TESTED[0] && minor < TESTED[1]);
  if (isOld)
    return { check: 'git', state: 'warning', found: `git ${version}, older than relay is tested with`, fix: `Install git ${TESTED.join('.')} or newer.` };
  return { check: 'git', state: 'ok', found: `git ${version}`, fix: null };
}

/** Whether all objects that its refs need are there; their content was checked when it came in. */
export async function storeCheck(ws: Workspace): Promise<Check> {
  const { path } = await ws.store();
  if (!existsSync(join(path, 'HEAD'))) return { check: 'store', state: 'missing', found: 'nothing is recorded in this clone yet', fix: null };
  const { code, stderr } = await tryGit({ env: gitEnv(ws.env), gitDir: path }, ['fsck', '--connectivity-only', '--no-dangling', '--no-progress']);
  if (code === 0) return { check: 'store', state: 'ok', found: path, fix: null };
  const away = commandLine(['mv', path, `${path}.broken`]);
  // The sessions themselves lie with their agents, and what was sent is on the remote.
  return {
    check: 'store',
    state: 'broken',
    found: `${path} is damaged: ${lastWords(stderr) || 'objects are missing'}`,
    fix: `${away} && relay pull && relay push --all --no-send`,
  };
}

/** The key and the folder it lies in are for this user only. */
async function keyCheck({ home }: Store): Promise<Check> {
  const path = join(home, 'key');
  const [key, folder] = await Promise.all([path, home].map((one) => stat(one).catch(() => undefined)));
  if (!key || !folder) return { check: 'key', state: 'missing', found: 'none is made yet', fix: null };
  if (key.size !== 32) return { check: 'key', state: 'broken', found: `${path} holds no key`, fix: commandLine(['rm', path]) };
  if (key.mode & 0o077) return { check: 'key', state: 'broken', found: `${path} can be read by other users`, fix: commandLine(['chmod', '600', path]) };
  if (folder.mode & 0o077) return { check: 'key', state: 'warning', found: `${home} is open to other users`, fix: commandLine(['chmod', '700', home]) };
  return { check: 'key', state: 'ok', found: 'for this user only', fix: null };
}

function settingsChecks(ws: Workspace): Check[] {
  if (!ws.unaccepted.length) return [{ check: 'settings', state: 'ok', found: 'all of them count', fix: null }];
  return ws.unaccepted.map((one) => ({
    check: 'settings',
    state: 'warning',
    found: `${fileAsking(ws, one)} sets ${one.key} to ${showValue(one.value)}, which this clone has not accepted. ${decliningOf(ws, [one])}`.trimEnd(),
    fix: `relay init --accept ${one.key}`,
  }));
}

async function remoteCheck(ws: Workspace, { remote: ask }: DoctorOptions): Promise<Check> {
  const remote = await ws.remote().catch((error: unknown) => {
    if (error instanceof RelayError && error.code === 'usage') return error;
    throw error;
  });
  if (remote instanceof RelayError) return { check: 'remote', state: 'missing', found: remote.message, fix: remote.hint ?? null };
  const shown = withoutUserinfo(remote.url);
  if (!ask) return { check: 'remote', state: 'ok', found: sentToAndFrom(remote), fix: null };
  const place = { env: gitEnv(ws.env), cwd: rootOf(needRepository(ws)) };
  const { code, stderr } = await tryGit(place, ['ls-remote', '--quiet', '--', remote.url, 'HEAD']);
  if (code === 0) return { check: 'remote', state: 'ok', found: `${shown} answers`, fix: null };
  return { check: 'remote', state: 'broken', found: `${shown} does not answer: ${lastWords(stderr)}`, fix: commandLine(['git', 'ls-remote', shown]) };
}

function hookChecks({ git }: Recording): Check[] {
  if (git.problems.length) return git.problems.map(({ why, fix }) => ({ check: 'git hooks', state: 'broken', found: why, fix }));
  if (git.installed) return [{ check: 'git hooks', state: 'ok', found: 'installed', fix: null }];
  return [{ check: 'git hooks', state: 'missing', found: 'not installed', fix: 'relay hooks install' }];
}

function recordingChecks(ws: Workspace, recording: Recording): Check[] {
  const { queue, failed, last } = recording;
  // What hooks have to do with it is told where they are.
  const why = whyNotRecording({ ...recording, git: { installed: true, prePush: false, problems: [] }, agents: [] }, ws.now());
  const broken = why.map(({ why: found, fix }): Check => ({ check: 'recording', state: 'broken', found, fix }));
  return [
    ...broken,
    ...(failed || broken.length
      ? []
      : [
          {
            check: 'recording',
            state: 'ok' as const,
            found: `${last ? `last recorded ${last}` : 'nothing recorded by hooks yet'}; ${waitingAsWords(queue)}`,
            fix: null,
          },
        ]),
  ];
}

function sendingChecks({ unsent, purged, exposed, purgedImports, remote, recording }: Status): Check[] {
  const checks: Check[] = [];
  const add = (check: string, state: Check['state'], found: string, fix: string | null): void => void checks.push({ check, state, found, fix });
  if (!unsent.length) add('sent', 'ok', recording.sessions ? 'everything that is recorded here' : 'there is nothing to send yet', null);
  else if (remote === null) add('sent', 'warning', `in this clone only: ${unsent.join(', ')}`, 'git remote add origin <url>');
  else add('sent', 'warning', `not sent yet: ${unsent.join(', ')}`, 'relay push');
  for (const { handoff, by, at } of purged)
    add('purged', 'warning', `${handoff}, purged by ${by} on ${at.slice(0, 10)}, is kept here`, `relay purge ${handoff}`);
  for (const { agent, session, path } of purgedImports)
    add('purged', 'warning', `${agent}:${session} was imported from what was purged since and still holds it`, commandLine(['rm', path]));
  for (const { handoff, version, purge } of exposed) add('exposed', 'broken', `${handoff}@${version} was sent with what is known to be secret now`, purge);
  return checks;
}
