import { logOf } from '#flows/check.ts';
import { workspace } from '#flows/context.ts';
import { type Io, printJson } from '#io/io.ts';
import { bytes, shortHandoffs, tableFor } from '#report/index.ts';
import type { VersionInfo } from '#store/types.ts';

/** relay log <handoff> */
export async function log(io: Io, name: string, options: { json?: boolean }): Promise<number> {
  const { handoff, versions, cards } = await logOf(await workspace(io), name);
  if (options.json) {
    printJson(io, { handoff, versions });
    return 0;
  }
  const newest = versions.toReversed();
  const row = (v: VersionInfo, called: string) => [
    `${called}@${v.version}`,
    v.date,
    String(v.records),
    bytes(v.bytes),
    String(v.redactions),
    v.commit.slice(0, 12),
  ];
  const narrow = () => {
    const [short = handoff] = shortHandoffs(
      cards.filter((card) => card.handoff === handoff),
      cards,
    );
    return { rows: newest.map((v) => row(v, short)), spare: [5, 4] };
  };
  const whole = newest.map((v) => row(v, handoff));
  io.stdout.write(await tableFor(io.stdout, ['version', 'date', 'records', 'size', 'redactions', 'commit'], whole, narrow));
  return 0;
}
