import { type Env, isUnattended, unaskingSsh, withConfig } from './env.ts';
import { type GitPlace, tryGit } from './run.ts';

/** What decides how git reaches a remote and logs in there. */
const TRANSPORT = '^(http|url|credential|ssh|core\\.sshcommand|core\\.askpass|core\\.gitproxy|protocol|remote)';
/** Of a remote only its address and programs: its refspecs, mirror and promisor settings are about the user's own repository. */
const OF_A_REMOTE = /^remote\..*\.(url|pushurl|proxy|proxyauthmethod|vcs|uploadpack|receivepack)$/is;

/**
 * The transport settings that stand in the user's repository (its includes and work tree settings too), which another
 * repository's git would not read: as an environment for it. Answers also the names of the remotes there.
 * @param repository place inside the user's repository
 */
export async function transportEnv(repository: GitPlace): Promise<{ env: Env; remotes: Set<string> }> {
  const { stdout } = await tryGit(repository, ['config', '--show-scope', '-z', '--get-regexp', TRANSPORT]);
  const fields = stdout.toString('utf8').split('\0');
  const settings: [string, string][] = [];
  let ssh: string | undefined;
  const remotes = new Set<string>();
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const entry = fields[i + 1] as string;
    const cut = entry.indexOf('\n');
    const key = cut < 0 ? entry : entry.slice(0, cut);
    if (key === 'core.sshcommand') ssh = entry.slice(cut + 1);
    if (fields[i] !== 'local' && fields[i] !== 'worktree') continue;
    if (key.startsWith('remote.') && !OF_A_REMOTE.test(key)) continue;
    settings.push([key, cut < 0 ? 'true' : entry.slice(cut + 1)]);
    const remote = /^remote\.(.*)\.url$/is.exec(key);
    if (remote) remotes.add(remote[1] as string);
  }
  const env = withConfig(repository.env, settings);
  return { env: isUnattended(env) ? withoutQuestions(env, ssh) : env, remotes };
}

/** @param configured core.sshCommand, in whatever file it stands */
function withoutQuestions(env: Env, configured: string | undefined): Env {
  const ssh = env.GIT_SSH_COMMAND ?? configured ?? (env.GIT_SSH === undefined ? 'ssh' : undefined);
  return ssh === undefined ? env : { ...env, GIT_SSH_COMMAND: unaskingSsh(ssh) };
}
