export type Env = Record<string, string | undefined>;

/**
 * Variables that send git to another repository, index or identity, or change what it stores. Inside a git hook several of
 * them are set: a command on another repository that inherits GIT_INDEX_FILE would replace the user's index.
 * Everything else stays, above all what transport and login need (GIT_SSH_COMMAND, GIT_ASKPASS, GIT_SSL_*, GIT_CONFIG_*).
 */
const REDIRECTING = new Set([
  'GIT_DIR',
  'GIT_COMMON_DIR',
  'GIT_WORK_TREE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INDEX_VERSION',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_QUARANTINE_PATH',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_GRAFT_FILE',
  'GIT_SHALLOW_FILE',
  'GIT_REPLACE_REF_BASE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_CONFIG',
  'GIT_ATTR_SOURCE',
  'GIT_DEFAULT_HASH',
  'GIT_DEFAULT_REF_FORMAT',
  'GIT_TEMPLATE_DIR',
  'GIT_REFLOG_ACTION',
  'GIT_LITERAL_PATHSPECS',
  'GIT_GLOB_PATHSPECS',
  'GIT_NOGLOB_PATHSPECS',
  'GIT_ICASE_PATHSPECS',
  'GIT_EXTERNAL_DIFF',
  'GIT_DIFF_OPTS',
  'GIT_FLUSH',
]);
const REDIRECTING_PREFIX = /^GIT_(AUTHOR|COMMITTER)_|^GIT_PUSH_OPTION_/;

/** The environment for git: nothing that redirects it, English messages for what is parsed, no prompt unless `interactive` and somebody is there. */
export function gitEnv(env: Env, interactive = false): Env {
  const kept: Env = {};
  for (const [name, value] of Object.entries(env)) if (!REDIRECTING.has(name) && !REDIRECTING_PREFIX.test(name)) kept[name] = value;
  kept.LC_ALL = 'C';
  kept.GIT_OPTIONAL_LOCKS = '0';
  if (!interactive || isUnattended(env)) kept.GIT_TERMINAL_PROMPT = '0';
  return kept;
}

type Setting = readonly [name: string, value: string];

/** Adds settings to what git reads from the environment: `settings` before the user's own ones there, which win, and `last` behind them. */
export function withConfig(env: Env, settings: readonly Setting[], last: readonly Setting[] = []): Env {
  const count = Number(env.GIT_CONFIG_COUNT ?? 0) || 0;
  const own = Array.from({ length: count }, (_, i): Setting => [env[`GIT_CONFIG_KEY_${i}`] ?? '', env[`GIT_CONFIG_VALUE_${i}`] ?? '']);
  const all = [...settings, ...own, ...last];
  if (!all.length) return env;
  const added: Env = { ...env, GIT_CONFIG_COUNT: String(all.length) };
  all.forEach(([key, value], i) => {
    added[`GIT_CONFIG_KEY_${i}`] = key;
    added[`GIT_CONFIG_VALUE_${i}`] = value;
  });
  return added;
}

/** Says to whatever reads the environment that nobody is there to answer. */
const UNATTENDED = 'RELAY_UNATTENDED';

export const isUnattended = (env: Env): boolean => env[UNATTENDED] === '1';

/**
 * The environment of what runs without a person: no git and nothing that a git starts asks for a login, be it on the terminal (`startGit` takes that away),
 * in a window, or through a helper.
 */
export function unattended(env: Env): Env {
  if (isUnattended(env)) return env;
  const asksNobody = { [UNATTENDED]: '1', GIT_TERMINAL_PROMPT: '0', GIT_ASKPASS: '', SSH_ASKPASS: '', SSH_ASKPASS_REQUIRE: 'never', GCM_INTERACTIVE: 'never' };
  return withConfig({ ...env, ...asksNobody }, [], [['credential.interactive', 'false']]);
}

/** The command line of an ssh, with the option to ask nothing; any other program's as it is. What is given first counts for ssh. */
export const unaskingSsh = (command: string): string => command.replace(/^\s*(?:\S*\/)?ssh(?:\.exe)?(?=\s|$)/, (program) => `${program} -o BatchMode=yes`);
