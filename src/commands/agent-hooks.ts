import type { Adapter } from '#adapters/adapter.ts';
import { needAdapter } from '#flows/find.ts';
import { stateFolder } from '#flows/registry.ts';
import { type AgentHooksState, agentHooksState, installAgentHooks, uninstallAgentHooks } from '#hooks/agent/install.ts';
import { type Io, printJson } from '#io/io.ts';
import { safeLine } from '#report/index.ts';

/** relay hooks install | uninstall | status --agent <agent>: in the user's own file of that client, so no repository is needed. */
export async function agentHooks(io: Io, action: 'install' | 'uninstall' | 'status', agent: string, options: { json?: boolean }): Promise<number> {
  const adapter = needAdapter(agent);
  const where = { env: io.env, home: io.home };
  const change = { install: installAgentHooks, uninstall: uninstallAgentHooks, status: undefined }[action];
  const changed = change && (await change(adapter, where, stateFolder(io))).changed;
  const state = await agentHooksState(adapter, where, io.cwd);
  if (options.json) printJson(io, { ...state, ...(changed === undefined ? {} : { changed }) });
  else io.stdout.write(action === 'uninstall' ? uninstalledText(adapter, state, changed) : stateText(adapter, state, changed));
  return 0;
}

const uninstalledText = ({ title }: Adapter, { file }: AgentHooksState, changed: boolean | undefined): string =>
  changed ? `Taken out of ${safeLine(file)}: ${title} no longer tells relay of its turns.\n` : 'There was nothing to take out.\n';

function stateText({ id, title }: Adapter, { file, installed, runs, fix }: AgentHooksState, changed: boolean | undefined): string {
  if (!installed) return `${title} does not tell relay of its turns: relay hooks install --agent ${id}\n`;
  const put = changed ? `Put into ${safeLine(file)}.\n` : '';
  if (runs) return `${put}${title} tells relay at the end of each turn.\n`;
  const unsure = runs === undefined ? 'Whether its client runs them is not known' : 'Its client does not run them yet';
  return `${put}relay’s hooks stand in ${safeLine(file)}. ${unsure}${fix ? `: ${safeLine(fix)}` : ''}.\n`;
}
