import { needAccepted } from '#flows/accepted.ts';
import { workspace } from '#flows/context.ts';
import { type Pulled, pullHandoffs } from '#flows/pull.ts';
import { type Io, printJson } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { safeLine, safeText, safeTitle } from '#report/index.ts';

/** relay pull */
export async function pull(io: Io, name: string | undefined, options: { json?: boolean; remote?: string; days?: string }): Promise<number> {
  const ws = await workspace(io, options.remote ? { remote: options.remote } : {});
  needAccepted(ws, 'pull');
  const days = options.days === undefined ? ws.settings.pull.days : Number(options.days);
  if (!Number.isInteger(days) || days < 0) throw new RelayError('usage', `--days takes a whole number, not ${options.days}.`);
  ws.progress('fetching');
  const pulled = await pullHandoffs(ws, name, days);
  if (options.json) {
    printJson(io, pulled);
    return 0;
  }
  for (const handoff of pulled.rewritten) io.stderr.write(`${handoff} was rewritten on the remote; the earlier one is kept in this clone.\n`);
  for (const one of pulled.purged) io.stderr.write(purgedText(one));
  for (const { handoff, ref, reason } of pulled.refused)
    io.stderr.write(`warning: ${safeLine(handoff ?? ref ?? '')} was refused as it comes from the remote, the rest was fetched: ${safeText(reason)}\n`);
  for (const h of pulled.new)
    io.stdout.write(
      `${h.handoff}@${h.version}  ${safeLine(h.agent)}  by ${safeTitle(h.author)}  ${safeTitle(h.title)}\n  relay import ${h.handoff} --to <agent>\n`,
    );
  if (!pulled.new.length) io.stdout.write('Nothing new.\n');
  return 0;
}

/** What was purged of a handoff, what became of it here, and where it still stands. */
function purgedText({ handoff, by, at, gone, versions, edited, kept, imports }: Pulled['purged'][number]): string {
  const [name, who, day] = [safeLine(handoff), safeLine(by), at.slice(0, 10)];
  const numbers = (some: readonly number[]): string => some.map((n) => `@${n}`).join(', ');
  const lines: string[] = [];
  if (kept)
    lines.push(
      `${who} purged ${name}, which is yours, on ${day}: it is gone from the remote, but kept in this clone, and not sent any more. To remove it here too: relay purge ${name}`,
    );
  else if (gone) lines.push(`${who} purged all of ${name} on ${day}: it is gone here too.`);
  if (versions.length)
    lines.push(`${who} purged ${numbers(versions)} of ${name} on ${day}: gone here too; later versions hold what they held, unless it was taken out.`);
  if (edited.length) lines.push(`${who} took a value out of ${numbers(edited)} of ${name} on ${day}: it is taken out here too.`);
  if (imports.length)
    lines.push(
      '  These sessions were imported from it and still hold it; relay does not edit them. Rotate what was secret in it, and delete them:',
      ...imports.map(({ agent, session, path }) => `    ${agent}:${session}  ${safeLine(path)}`),
    );
  return `${lines.join('\n')}\n`;
}
