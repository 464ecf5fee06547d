import { needAccepted } from '#flows/accepted.ts';
import { workspace } from '#flows/context.ts';
import { handoffToPurge, type PurgeResult, type PurgeTarget, purgeTarget, valueToPurge } from '#flows/purge.ts';
import type { Workspace } from '#flows/workspace.ts';
import { localFolder, withoutUserinfo } from '#git/url.ts';
import { ask, askHidden } from '#io/ask.ts';
import { type Io, printJson } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { commandLine, count, safeLine, safeText } from '#report/index.ts';
import type { Purged } from '#store/types.ts';

interface Options {
  json?: boolean;
  match?: string;
  dryRun?: boolean;
  yes?: boolean;
  remote?: string;
  namespace?: 'refs/relay' | 'refs/heads/relay';
}

const ROTATE = 'Rotate the key first, if this is about one: whoever could read it may have it, and nothing calls it back.\n';
const HOST = `The host may keep what is purged: in pull requests, forks and caches, and as unreachable commits until it cleans up.
Ask its support to do that; relay cannot.
`;

/** What a purge cannot do, which one has to know before one counts on it. */
function limits({ remote }: PurgeTarget): string {
  if (!remote) return ROTATE;
  const folder = localFolder(remote.url);
  if (folder === undefined) return `${ROTATE}${HOST}`;
  const collect = commandLine(['git', '-C', folder, 'gc', '--prune=now']);
  return `${ROTATE}The remote keeps what is purged as unreachable objects until it cleans up. To do that at once: ${collect}\n`;
}

/** relay purge <handoff>[@n] | --match - */
export async function purge(io: Io, name: string | undefined, options: Options): Promise<number> {
  if ((name === undefined) === (options.match === undefined))
    throw new RelayError('usage', 'Name a handoff, or say --match - to purge a value.', 'For example: relay purge ann-3f9c02/claude-code-0a1b2c3d');
  if (options.match !== undefined && options.match !== '-')
    throw new RelayError(
      'usage',
      '--match takes only -, since a value on the command line stays in the shell’s history.',
      'Pipe it in: relay purge --match - < file',
    );
  const ws = await workspace(io, {
    ...(options.remote ? { remote: options.remote } : {}),
    ...(options.namespace ? { namespace: options.namespace } : {}),
  });
  needAccepted(ws, 'purge');
  if (!options.yes && !options.dryRun && (!io.interactive || options.json))
    throw new RelayError('consent', 'Nothing was purged: this rewrites history here and on the remote.', 'See what would go: --dry-run. Then add --yes.');
  const target = name === undefined ? await valueToPurge(ws, await readValue(io)) : await handoffToPurge(ws, name);
  const several = linesOf(target);
  if (several > 1) io.stderr.write(oneValue(several));
  let told = false;
  const tell = (): void => {
    if (!told) io.stderr.write(limits(target));
    told = true;
  };
  if (!options.yes && !options.dryRun) await needConsent(io, ws, target, tell);
  ws.progress(options.dryRun ? 'looking' : 'purging');
  const purged = await purgeTarget(ws, target, options.dryRun ? { dryRun: true } : { begin: tell });
  const where = target.remote ? withoutUserinfo(target.remote.url) : null;
  if (options.json) printJson(io, { ...purged, dryRun: options.dryRun === true, remote: where });
  else report(io, purged, target, options.dryRun === true);
  if (options.dryRun && isSomething(purged)) tell();
  return purged.refused.length || purged.reachable.length ? 1 : 0;
}

const isSomething = ({ handoffs, refs }: Purged): boolean => handoffs.length + refs.length > 0;

/** Lines of the value that is purged, 0 for none. */
const linesOf = ({ order }: PurgeTarget): number => ('values' in order ? Math.max(...order.values.map((value) => value.split('\n').length)) : 0);

const oneValue = (lines: number): string =>
  `warning: what was piped in has ${lines} lines and is looked for as one value, line breaks included. To look for each line, run the command once for each.\n`;

async function readValue(io: Io): Promise<string> {
  if (io.interactive) return askHidden(io, 'The value to purge (not shown):');
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin.bytes()) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function needConsent(io: Io, ws: Workspace, target: PurgeTarget, tell: () => void): Promise<void> {
  ws.progress('looking');
  const preview = await purgeTarget(ws, target, { dryRun: true });
  for (const line of describe(preview, target, true)) io.stderr.write(`${line}\n`);
  if (isSomething(preview)) tell();
  if (await ask(io, `Purge this here${target.remote ? ` and on ${withoutUserinfo(target.remote.url)}` : ''}?`)) return;
  throw new RelayError('cancelled', 'Nothing was purged.');
}

function report(io: Io, purged: PurgeResult, target: PurgeTarget, dryRun: boolean): void {
  for (const line of describe(purged, target, dryRun)) io.stdout.write(`${line}\n`);
  for (const path of purged.settings) io.stderr.write(`warning: the value stands in ${safeLine(path)}, which relay does not edit: take it out there.\n`);
  if (dryRun) {
    io.stdout.write('Nothing was purged (--dry-run).\n');
    return;
  }
  for (const { ref, reason } of purged.refused)
    io.stderr.write(`warning: ${safeLine(ref)} on the remote still holds it: ${safeText(reason)}. ${mustDo(ref)}\n`);
  for (const ref of purged.reachable)
    io.stderr.write(`warning: ${safeLine(ref)} on the remote points at what was purged and is none of relay’s refs: whoever owns it has to delete it.\n`);
  for (const remote of purged.elsewhere) io.stderr.write(`warning: ${safeLine(remote)} had it too: run the same command with --remote ${safeLine(remote)}\n`);
  if (purged.forgotten)
    io.stderr.write(
      `warning: ${count(purged.forgotten, 'other remote')} had it too, and this clone has forgotten the address: run the same command with --remote <its URL>\n`,
    );
  io.stdout.write('The sessions in the agents’ own folders are yours and were not touched.\n');
  if (purged.remembered === false)
    io.stderr.write(
      'warning: this value cannot be found again without being kept, since it has over 4000 characters or does not begin with three plain letters, digits or signs: take it out of those sessions too, or the next relay push brings it back.\n',
    );
}

const mustDo = (ref: string): string => {
  const writer = /\/(?:s|index)\/([^/]+)/.exec(ref)?.[1];
  return writer ? `${safeLine(writer)} has to purge it, or whoever administers the remote.` : 'Whoever administers the remote has to.';
};

function describe({ handoffs, refs, uneditable, goOn }: Purged, { order, remote }: PurgeTarget, dryRun: boolean): string[] {
  if (!handoffs.length && !refs.length) return [`Nothing here${remote ? ' or on the remote' : ''} holds it.`];
  const [goes, is] = dryRun ? ['would go', 'would be'] : ['is gone', 'was'];
  const lines = handoffs.map(({ handoff, gone, versions, here, remote: there }) => {
    const where = [here ? 'here' : '', there ? 'on the remote' : ''].filter(Boolean).join(' and ');
    if (gone) return `${handoff}: all of it ${goes}, ${where}`;
    const which = versions.map((n) => `@${n}`).join(', ');
    return 'handoff' in order ? `${handoff}: ${which} ${goes}, ${where}` : `${handoff}: the value ${is} taken out of ${which}, ${where}`;
  });
  for (const { ref, gone } of refs)
    lines.push(
      gone ? `${safeLine(ref)}: its name holds the value, so it ${goes}, on the remote` : `${safeLine(ref)}: the value ${is} taken out of it, on the remote`,
    );
  for (const handoff of uneditable) lines.push(`  ${handoff}: the value stands where nothing can be edited (an id, a signature, a name), so all of it goes`);
  for (const handoff of goOn) lines.push(`${handoff} went on from it and keeps its own copy of the conversation. To purge that too: relay purge ${handoff}`);
  if ('handoff' in order && order.version === undefined) lines.push('relay push sends this session again only when you name it.');
  if ('handoff' in order && order.version !== undefined)
    lines.push('Later versions hold what it held, unless it was taken out since. For a value: relay purge --match -');
  lines.push(`${count(handoffs.length, 'handoff')}. Other clones follow when they push or pull.`);
  return lines;
}
