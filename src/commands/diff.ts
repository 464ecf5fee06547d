import { versionsToDiff } from '#flows/check.ts';
import { workspace } from '#flows/context.ts';
import { type DiffRow, diffVersions } from '#flows/diff.ts';
import { type Io, printJson } from '#io/io.ts';
import { safeLine, safeText } from '#report/index.ts';

/** Characters of a record that the terminal shows. */
const SHOWN = 400;

/** relay diff <from> [to] */
export async function diff(io: Io, from: string, to: string | undefined, options: { json?: boolean; exitCode?: boolean }): Promise<number> {
  const result = await diffVersions(...(await versionsToDiff(await workspace(io), from, to)));
  const { added, changed, removed } = result.records;
  const different = added.length + changed.length + removed.length + result.files.length + result.others.added + result.others.removed > 0;
  if (options.json) printJson(io, result);
  else {
    io.stdout.write(`${result.from} → ${result.to}\n`);
    for (const [sign, rows] of [
      ['-', removed],
      ['~', changed],
      ['+', added],
    ] as const)
      for (const row of rows) io.stdout.write(line(sign, row));
    for (const file of result.files)
      io.stdout.write(`  file ${safeLine(file.path)}: ${file.from?.slice(0, 12) ?? 'none'} → ${file.to?.slice(0, 12) ?? 'none'}\n`);
    if (result.others.added + result.others.removed)
      io.stdout.write(`  and ${result.others.added} new, ${result.others.removed} removed records that are no messages\n`);
    if (!different) io.stdout.write('No differences.\n');
  }
  return options.exitCode && different ? 1 : 0;
}

function line(sign: string, row: DiffRow): string {
  const text = safeText(row.text.length > SHOWN ? `${row.text.slice(0, SHOWN)} …` : row.text).replaceAll('\n', '\n    ');
  return `${sign} ${safeLine(row.stream)} ${row.record} [${row.role}] ${text}\n`;
}
