/** Words that only find and start a tool; how many of them a call has. */
type Skip = (words: readonly string[]) => number;

const options = (words: readonly string[], from: number, values = /^$/): number => {
  let at = from;
  while (words[at]?.startsWith('-')) at += values.test(words[at] as string) ? 2 : 1;
  return at;
};
const verbs =
  (pattern: RegExp): Skip =>
  (words) =>
    pattern.test(words[1] ?? '') ? options(words, 2) : 0;

const SKIPS: Record<string, Skip> = {
  npx: (words) => options(words, 1, /^(?:-p|--package|-c)$/),
  bunx: (words) => options(words, 1),
  pnpx: (words) => options(words, 1),
  npm: verbs(/^(?:exec|x)$/),
  pnpm: verbs(/^(?:exec|dlx)$/),
  yarn: verbs(/^(?:exec|dlx)$/),
  poetry: verbs(/^run$/),
  pipenv: verbs(/^run$/),
  pdm: verbs(/^run$/),
  hatch: verbs(/^run$/),
  rye: verbs(/^run$/),
  uv: (words) => (words[1] === 'run' ? options(words, 2, /^(?:--with|--python|-p|--project|--group|--extra)$/) : 0),
  bundle: verbs(/^exec$/),
  mise: verbs(/^(?:exec|x)$/),
  dotenv: (words) => options(words, 1, /^-e$/),
  fvm: () => 1,
  xcrun: (words) => options(words, 1, /^--sdk$/),
  doppler: verbs(/^run$/),
  op: verbs(/^run$/),
  direnv: (words) => (words[1] === 'exec' ? 3 : 0),
  'cross-env': (words) => words.findIndex((word, at) => at > 0 && !/^\w+=/.test(word)),
  docker: (words) => (words[1] === 'compose' ? inContainer(words, 2) : inContainer(words, 1)),
  'docker-compose': (words) => inContainer(words, 1),
};

/** `exec` and `run` of a container: options, its name, then the tool. */
function inContainer(words: readonly string[], at: number): number {
  if (words[at] !== 'exec' && words[at] !== 'run') return 0;
  return options(words, at + 1, /^(?:-e|-u|-w|-v|-p|--env|--user|--workdir|--volume|--name|--network|--entrypoint)$/) + 1;
}

/** A command without what only finds and starts the tool (npx, poetry run, python -m, a path to it): the tool's name and its words. */
export function toolOf(words: readonly string[]): string[] {
  let rest = [...words];
  for (;;) {
    const name = baseName(rest[0] ?? '');
    if (/^python[\d.]*$/.test(name) && rest[1] === '-m') rest = rest.slice(2);
    else {
      const skip = Object.hasOwn(SKIPS, name) ? (SKIPS[name] as Skip)(rest) : 0;
      if (skip <= 0 || skip >= rest.length) return rest.length ? [name, ...rest.slice(1)] : [];
      rest = rest.slice(skip);
    }
  }
}

const NAMES: Record<string, string> = { gradlew: 'gradle', mvnw: 'mvn', 'py.test': 'pytest' };

function baseName(word: string): string {
  const name = word
    .replace(/^.*\//, '')
    .replace(/@[\d.^~a-z-]+$/, '')
    .replace(/\.(?:cmd|bat|exe)$/, '');
  return Object.hasOwn(NAMES, name) ? (NAMES[name] as string) : name;
}
