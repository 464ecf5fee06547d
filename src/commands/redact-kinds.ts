import { workspace } from '#flows/context.ts';
import { type Io, printJson } from '#io/io.ts';
import { kindList } from '#redact/index.ts';
import { tableFor } from '#report/index.ts';

/** relay redact --kinds */
export async function printKinds(io: Io, options: { json?: boolean }): Promise<number> {
  const kinds = kindList((await workspace(io)).settings.redact);
  const rows = kinds.map(({ id, name, family, setting }) => [id, name, setting ?? family]);
  if (options.json) printJson(io, { kinds });
  else io.stdout.write(await tableFor(io.stdout, ['kind', 'what it is', 'family, or the setting that asks for it'], rows, () => ({ rows })));
  return 0;
}
