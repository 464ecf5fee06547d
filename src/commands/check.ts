import { checkHandoff, notCompared } from '#flows/check.ts';
import { workspace } from '#flows/context.ts';
import { type Io, printJson } from '#io/io.ts';
import { safeText } from '#report/index.ts';

/** relay check <handoff> */
export async function check(io: Io, name: string, options: { json?: boolean; exitCode?: boolean }): Promise<number> {
  const checked = await checkHandoff(await workspace(io), name);
  const { handoff, version, drift } = checked;
  const differs = drift.filter((d) => d.state !== 'same');
  if (options.json) printJson(io, checked);
  else {
    if (checked.notCompared) io.stderr.write(`${notCompared(checked.notCompared)}\n`);
    for (const d of differs) io.stdout.write(`${d.state.padEnd(8)} ${safeText(d.path)}${d.to ? ` → ${safeText(d.to)}` : ''}\n`);
    if (!drift.length) io.stdout.write('The session touched no files of this project.\n');
    else io.stdout.write(`${drift.length - differs.length} of ${drift.length} files of ${handoff}@${version} are the same here.\n`);
  }
  return options.exitCode && differs.length ? 1 : 0;
}
