import { workspace } from '#flows/context.ts';
import { pullHandoffs } from '#flows/pull.ts';
import { type Io, printJson } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { safeLine, safeText, safeTitle } from '#report/index.ts';

/** relay pull */
export async function pull(io: Io, name: string | undefined, options: { json?: boolean; remote?: string; days?: string }): Promise<number> {
  const ws = await workspace(io, { guarded: true, ...(options.remote ? { remote: options.remote } : {}) });
  const days = options.days === undefined ? ws.settings.pull.days : Number(options.days);
  if (!Number.isInteger(days) || days < 0) throw new RelayError('usage', `--days takes a whole number, not ${options.days}.`);
  ws.progress('fetching');
  const pulled = await pullHandoffs(ws, name, days);
  if (options.json) {
    printJson(io, pulled);
    return 0;
  }
  for (const handoff of pulled.rewritten) io.stderr.write(`${handoff} was rewritten on the remote; the earlier one is kept in this clone.\n`);
  for (const { handoff, by, at } of pulled.purged)
    io.stderr.write(`${safeLine(by)} purged ${safeLine(handoff)} or a part of it on ${at.slice(0, 10)}: what was purged is gone here too.\n`);
  for (const { handoff, ref, reason } of pulled.refused)
    io.stderr.write(`warning: ${safeLine(handoff ?? ref ?? '')} was refused as it comes from the remote, the rest was fetched: ${safeText(reason)}\n`);
  for (const h of pulled.new)
    io.stdout.write(
      `${h.handoff}@${h.version}  ${safeLine(h.agent)}  by ${safeTitle(h.author)}  ${safeTitle(h.title)}\n  relay import ${h.handoff} --to <agent>\n`,
    );
  if (!pulled.new.length) io.stdout.write('Nothing new.\n');
  return 0;
}
