import { type Dirent, readdirSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readRegularText } from '#lib/regular.ts';
import type { SecretFile } from '#redact/index.ts';

/** Larger files than this are no settings. In bytes. */
const LARGEST = 1024 * 1024;
/** Folders of a project that are looked at, nearest first, and files that are read. */
const FOLDERS_MAX = 4000;
const FILES_MAX = 500;

/** Where clients keep credentials, from the user's home. */
const IN_HOME = `
  .npmrc .yarnrc.yml .netrc _netrc .pgpass .my.cnf .pypirc .git-credentials .config/git/credentials .aws/credentials .aws/config
  .config/gh/hosts.yml .config/glab-cli/config.yml .config/hub .docker/config.json .kube/config
  .config/gcloud/application_default_credentials.json .azure/msal_token_cache.json .azure/accessTokens.json
  .cargo/credentials.toml .cargo/credentials .gem/credentials .terraform.d/credentials.tfrc.json .terraformrc
  .claude/.credentials.json .codex/auth.json .gemini/oauth_creds.json .qwen/oauth_creds.json .local/share/opencode/auth.json
  .config/github-copilot/apps.json .config/github-copilot/hosts.json .config/op/config .config/pip/pip.conf .pip/pip.conf
  .composer/auth.json .config/composer/auth.json .gradle/gradle.properties .vault-token .sentryclirc .databrickscfg .s3cfg .boto
  .dbt/profiles.yml .kaggle/kaggle.json .huggingface/token .cache/huggingface/token .config/rclone/rclone.conf
  .config/doctl/config.yaml .config/hcloud/cli.toml .config/stripe/config.toml .fly/config.yml`
  .trim()
  .split(/\s+/);

/** Variables that move one of them: a file, or the folder of that file. */
const MOVED: readonly [variable: string, file: string][] = [
  ['NPM_CONFIG_USERCONFIG', ''],
  ['npm_config_userconfig', ''],
  ['NETRC', ''],
  ['PGPASSFILE', ''],
  ['AWS_SHARED_CREDENTIALS_FILE', ''],
  ['AWS_CONFIG_FILE', ''],
  ['GOOGLE_APPLICATION_CREDENTIALS', ''],
  ['KUBECONFIG', ''],
  ['GH_CONFIG_DIR', 'hosts.yml'],
  ['DOCKER_CONFIG', 'config.json'],
  ['CLOUDSDK_CONFIG', 'application_default_credentials.json'],
  ['AZURE_CONFIG_DIR', 'msal_token_cache.json'],
  ['CARGO_HOME', 'credentials.toml'],
  ['CLAUDE_CONFIG_DIR', '.credentials.json'],
  ['CODEX_HOME', 'auth.json'],
];

/** Files of a project that hold secrets, in whatever folder of it. */
const IN_PROJECT =
  /^\.env|\.env$|^\.dev\.vars|^(?:\.npmrc|\.yarnrc\.yml|\.netrc|_netrc|\.pgpass|\.pypirc|\.my\.cnf|\.vault-token|local\.settings\.json)$|^\.?secrets?\.(?:ya?ml|json|toml|properties|env)$|\.tfvars$/;
/** What others wrote, or a tool for itself. Names that begin with a dot are passed over as well. */
const FOREIGN = new Set(['node_modules', 'bower_components', 'vendor', 'site-packages', '__pycache__']);

interface Wanted {
  env: Record<string, string | undefined>;
  home: string;
  /** the work tree; undefined outside of one */
  root: string | undefined;
  /** files that the settings name */
  named: readonly string[];
}

/** The files in which a user and a project keep secrets, as far as they are there. Read into memory only. */
export async function secretFiles({ env, home, root, named }: Wanted): Promise<SecretFile[]> {
  const config = env.XDG_CONFIG_HOME || join(home, '.config');
  const own = IN_HOME.map((path) => (path.startsWith('.config/') ? join(config, path.slice(8)) : join(home, path)));
  const moved = MOVED.flatMap(([variable, file]) => (env[variable] ? [join(env[variable], file)] : []));
  const paths = new Set([...own, ...moved, ...(root ? inProject(root) : [])]);
  const read = async (path: string, all: boolean): Promise<SecretFile> => ({ name: basename(path), text: await smallText(path), all });
  const files = await Promise.all([...[...paths].map((path) => read(path, false)), ...named.map((path) => read(path, true))]);
  return files.filter((file) => file.text);
}

/**
 * Paths of such files in a project, the nearest first; links are not followed. 4,000 folders take about 50 ms.
 * @param most folders that are looked at
 */
export function inProject(root: string, most = FOLDERS_MAX): string[] {
  const out: string[] = [];
  const folders = [root];
  for (let i = 0; i < Math.min(folders.length, most); i++) {
    const folder = folders[i] as string;
    for (const entry of entriesOf(folder)) {
      if (!entry.isDirectory()) {
        if (IN_PROJECT.test(entry.name) && out.length < FILES_MAX) out.push(join(folder, entry.name));
      } else if (!entry.name.startsWith('.') && !FOREIGN.has(entry.name)) folders.push(join(folder, entry.name));
    }
  }
  return out;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

async function smallText(path: string): Promise<string> {
  const info = await stat(path).catch(() => undefined);
  return info?.isFile() && info.size <= LARGEST ? readRegularText(path).catch(() => '') : '';
}
