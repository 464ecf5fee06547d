import { workspace } from '#flows/context.ts';
import { type Status, statusOf } from '#flows/status.ts';
import { type Io, printJson } from '#io/io.ts';

/** relay status */
export async function status(io: Io, options: { json?: boolean }): Promise<number> {
  const state = await statusOf(await workspace(io));
  if (options.json) {
    printJson(io, state);
    return 0;
  }
  io.stdout.write(
    `writer  ${state.writer}\nremote  ${state.remote ?? `none (${state.remoteProblem})`}\nhooks   none (snapshots by hooks come in a later version)\n`,
  );
  io.stdout.write(sending(state));
  for (const { key, value } of state.unaccepted)
    io.stdout.write(`.relayrc sets ${key} to ${value}; this clone has not accepted it (relay init --accept ${key})\n`);
  return 0;
}

/** Without a remote nothing can have been sent. */
function sending({ unsent, remote }: Status): string {
  if (unsent.length) return `not sent yet:\n${unsent.map((handoff) => `  ${handoff}`).join('\n')}\n`;
  return remote === null ? 'There is nothing to send, and no remote to send it to.\n' : 'Everything that was made here is sent.\n';
}
