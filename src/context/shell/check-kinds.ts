export type CheckKind = 'test' | 'build' | 'types' | 'lint' | 'bench' | 'plan' | 'run';

/** What kind of check a tool with these words is; undefined: none. */
type Kind = (args: readonly string[]) => CheckKind | undefined;

const always =
  (kind: CheckKind): Kind =>
  () =>
    kind;
const byVerb =
  (verbs: Record<string, CheckKind>): Kind =>
  (args) => {
    const verb = args.find((word) => !word.startsWith('-') && !word.startsWith('+'));
    return verb !== undefined && Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
  };
const when =
  (pattern: RegExp, kind: CheckKind): Kind =>
  (args) =>
    args.some((word) => pattern.test(word)) ? kind : undefined;

const tools = (names: string, kind: Kind): [string, Kind][] => names.split(' ').map((name) => [name, kind]);

const LOCAL = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?:[:/]|$)/;

/** A script of a manifest, or a target of a Makefile, by its name. */
export function kindOfName(name: string): CheckKind {
  if (/bench|perf|load/i.test(name)) return 'bench';
  if (/type|tsc/i.test(name)) return 'types';
  if (/test|spec|e2e|cov|verify|^check$/i.test(name)) return 'test';
  if (/lint|format|fmt|style|check/i.test(name)) return 'lint';
  return /build|compile|bundle|dist|^all$/i.test(name) ? 'build' : 'run';
}

const targets: Kind = (args) => {
  const named = args.filter((word) => !/^-|=/.test(word) && !/^\d+$/.test(word));
  return named[0] === undefined ? 'build' : kindOfName(named[0]);
};
const goals: Kind = (args) => {
  const named = args.filter((word) => !word.startsWith('-'));
  if (named.some((word) => /test|verify|^check$|:check$/i.test(word))) return 'test';
  if (named.some((word) => /lint|ktlint|detekt|checkstyle/i.test(word))) return 'lint';
  return named.length ? 'build' : undefined;
};

const KINDS = new Map<string, Kind>([
  ...tools(
    'vitest jest mocha ava pytest tox nox rspec phpunit pest ctest bats behave karma nextest phpspec busted unittest nose2 twister xctest',
    always('test'),
  ),
  ...tools('tsc vue-tsc svelte-check mypy pyright basedpyright pytype', always('types')),
  ...tools(
    'eslint oxlint flake8 pylint rubocop golangci-lint shellcheck stylelint hadolint clang-tidy ktlint swiftlint knip staticcheck actionlint markdownlint sqlfluff tflint',
    always('lint'),
  ),
  ...tools('hyperfine k6 wrk ab autocannon pgbench oha vegeta', always('bench')),
  ...tools('webpack rollup gcc g++ clang clang++ javac ninja tsup', always('build')),
  ...tools('make gmake just task', targets),
  ...tools('gradle mvn sbt', goals),
  ['playwright', byVerb({ test: 'test' })],
  ['cypress', byVerb({ run: 'test' })],
  ['go', (args) => (args.some((word) => /^-(?:test\.)?bench/.test(word)) ? 'bench' : byVerb({ test: 'test', build: 'build', vet: 'lint', run: 'run' })(args))],
  [
    'cargo',
    byVerb({ test: 'test', t: 'test', nextest: 'test', build: 'build', b: 'build', check: 'build', clippy: 'lint', fmt: 'lint', bench: 'bench', run: 'run' }),
  ],
  ['dotnet', byVerb({ test: 'test', build: 'build', run: 'run' })],
  ['cmake', when(/^--build$/, 'build')],
  ['bazel', byVerb({ test: 'test', build: 'build' })],
  ['swift', byVerb({ test: 'test', build: 'build' })],
  ['xcodebuild', (args) => (args.some((word) => /^test/.test(word)) ? 'test' : 'build')],
  ['flutter', byVerb({ test: 'test', analyze: 'lint', build: 'build' })],
  ['dart', byVerb({ test: 'test', analyze: 'lint' })],
  ['mix', byVerb({ test: 'test', compile: 'build', credo: 'lint' })],
  ['zig', byVerb({ test: 'test', build: 'build' })],
  ['rails', byVerb({ test: 'test' })],
  ['rake', targets],
  ['deno', byVerb({ test: 'test', check: 'types', lint: 'lint', bench: 'bench' })],
  ['node', when(/^--test$/, 'test')],
  ['biome', byVerb({ check: 'lint', lint: 'lint', ci: 'lint', format: 'lint' })],
  ['ruff', byVerb({ check: 'lint', format: 'lint' })],
  ['black', when(/^--(?:check|diff)$/, 'lint')],
  ['prettier', when(/^(?:--check|-c|--list-different|-l)$/, 'lint')],
  ['vite', byVerb({ build: 'build' })],
  ['next', byVerb({ build: 'build', lint: 'lint' })],
  ['ng', byVerb({ build: 'build', test: 'test', lint: 'lint' })],
  ['turbo', (args) => targets(args.filter((word) => word !== 'run'))],
  ['docker', (args) => (args.includes('build') ? 'build' : undefined)],
  ['docker-compose', byVerb({ build: 'build' })],
  ['west', byVerb({ build: 'build', twister: 'test', flash: 'run' })],
  ['fastlane', targets],
  ['idf.py', byVerb({ build: 'build', flash: 'run' })],
  ['pio', byVerb({ run: 'build', test: 'test' })],
  ['platformio', byVerb({ run: 'build', test: 'test' })],
  ['dbt', byVerb({ test: 'test', build: 'build', run: 'run', compile: 'build' })],
  ['terraform', byVerb({ plan: 'plan', validate: 'plan', apply: 'run' })],
  ['tofu', byVerb({ plan: 'plan', validate: 'plan', apply: 'run' })],
  ['kubectl', (args) => (args.some((word) => word.startsWith('--dry-run')) ? 'plan' : byVerb({ apply: 'run', rollout: 'run' })(args))],
  ['helm', byVerb({ lint: 'lint', template: 'plan', upgrade: 'run', install: 'run' })],
  ['ansible-playbook', (args) => (args.some((word) => /^--(?:check|syntax-check)$/.test(word)) ? 'plan' : 'run')],
  ['nginx', when(/^-t$/, 'plan')],
  ['psql', when(/^(?:-f|--file)/, 'run')],
  ['alembic', byVerb({ upgrade: 'run', downgrade: 'run', check: 'test' })],
  ['prisma', byVerb({ migrate: 'run', validate: 'lint' })],
  ['curl', when(LOCAL, 'run')],
  ['http', when(LOCAL, 'run')],
]);

/** The kind of a tool's run, e.g. of `cargo test`. */
export const kindOf = (tool: string, args: readonly string[]): CheckKind | undefined => KINDS.get(tool)?.(args);
