import { readFile } from 'node:fs/promises';

/** So many processes above this one are looked at: hook managers stand between git and what it calls. */
const ABOVE = 12;

/**
 * Whether the `git push` that this process runs under only shows what it would do. Git does not tell its hooks, so this reads its command line, where the
 * system shows that (`/proc`); false where it does not, and for an alias that hides it.
 */
export async function isDryRun(id = process.ppid, left = ABOVE): Promise<boolean> {
  if (id <= 1 || !left) return false;
  const text = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
  const said = dryRunOf(text.split('\0').slice(0, -1));
  return said ?? isDryRun(await parentOf(id), left - 1);
}

async function parentOf(id: number): Promise<number> {
  const text = await readFile(`/proc/${id}/stat`, 'utf8').catch(() => '');
  // The name before it stands in brackets, and may hold any.
  return Number(text.slice(text.lastIndexOf(')') + 1).split(' ')[2] ?? 0);
}

/** Options of git itself, before its verb, that take the next argument. */
const WITH_VALUE = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env', '--super-prefix', '--exec-path', '--attr-source']);

/** What the arguments of a process say of a dry run; undefined: it is no `git push`. */
export function dryRunOf([program = '', ...args]: readonly string[]): boolean | undefined {
  if (!/(?:^|\/)git(?:\.exe)?$/.test(program)) return undefined;
  let at = 0;
  while (args[at]?.startsWith('-')) at += WITH_VALUE.has(args[at] as string) ? 2 : 1;
  if (args[at] !== 'push') return undefined;
  const end = args.indexOf('--', at);
  const options = args.slice(at + 1, end < 0 ? undefined : end);
  // The last one counts. Git takes a long option by its beginning, and short ones together; what stands behind an o belongs to that.
  return options.findLast((one) => DRY.test(one) || WET.test(one))?.match(DRY) != null;
}

const DRY = /^(?:--dr(?:y(?:-(?:r(?:un?)?)?)?)?|-[a-mp-zA-Z0-9]*n[a-zA-Z0-9]*)$/;
const WET = /^--no-dr(?:y(?:-(?:r(?:un?)?)?)?)?$/;
