import { workspace } from '#flows/context.ts';
import { statusOf } from '#flows/status.ts';
import { type Io, printJson } from '#io/io.ts';

/** relay status */
export async function status(io: Io, options: { json?: boolean }): Promise<number> {
  const state = await statusOf(await workspace(io));
  if (options.json) {
    printJson(io, state);
    return 0;
  }
  io.stdout.write(
    `writer  ${state.writer}\nremote  ${state.remote ?? `none (${state.remoteProblem})`}\nhooks   ${state.hooks.installed ? 'installed' : 'not installed'}\n`,
  );
  io.stdout.write(state.unsent.length ? `not sent yet:\n${state.unsent.map((h) => `  ${h}`).join('\n')}\n` : 'Everything that was made here is sent.\n');
  for (const { key, value } of state.unaccepted)
    io.stdout.write(`.relayrc sets ${key} to ${value}; this clone has not accepted it (relay init --accept ${key})\n`);
  return 0;
}
