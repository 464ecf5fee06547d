import { logOf } from '#flows/check.ts';
import { workspace } from '#flows/context.ts';
import { type Io, printJson } from '#io/io.ts';
import { bytes, table } from '#report/index.ts';

/** relay log <handoff> */
export async function log(io: Io, name: string, options: { json?: boolean }): Promise<number> {
  const { handoff, versions } = await logOf(await workspace(io), name);
  if (options.json) printJson(io, { handoff, versions });
  else
    io.stdout.write(
      table(
        ['version', 'date', 'records', 'size', 'redactions', 'commit'],
        versions.toReversed().map((v) => [`${handoff}@${v.version}`, v.date, String(v.records), bytes(v.bytes), String(v.redactions), v.commit.slice(0, 12)]),
        io.stdout.columns,
      ),
    );
  return 0;
}
