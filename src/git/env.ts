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

/** The environment for git: nothing that redirects it, English messages for what is parsed, no prompt unless `interactive`. */
export function gitEnv(env: Env, interactive = false): Env {
  const kept: Env = {};
  for (const [name, value] of Object.entries(env)) if (!REDIRECTING.has(name) && !REDIRECTING_PREFIX.test(name)) kept[name] = value;
  kept.LC_ALL = 'C';
  kept.GIT_OPTIONAL_LOCKS = '0';
  if (!interactive) kept.GIT_TERMINAL_PROMPT = '0';
  return kept;
}

/** Adds settings to what git reads from the environment. The user's own ones there come later and win. */
export function withConfig(env: Env, settings: readonly (readonly [string, string])[]): Env {
  const before = Number(env.GIT_CONFIG_COUNT ?? 0) || 0;
  const all = [...settings, ...Array.from({ length: before }, (_, i) => [env[`GIT_CONFIG_KEY_${i}`] ?? '', env[`GIT_CONFIG_VALUE_${i}`] ?? ''] as const)];
  if (!all.length) return env;
  const added: Env = { ...env, GIT_CONFIG_COUNT: String(all.length) };
  all.forEach(([key, value], i) => {
    added[`GIT_CONFIG_KEY_${i}`] = key;
    added[`GIT_CONFIG_VALUE_${i}`] = value;
  });
  return added;
}
