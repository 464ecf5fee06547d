import { needAccepted } from '#flows/accepted.ts';
import { workspace } from '#flows/context.ts';
import { type Found, find } from '#flows/find.ts';
import { folderWithin } from '#flows/import-source.ts';
import { manifestOf } from '#flows/manifest.ts';
import { pathsOf } from '#flows/redaction.ts';
import type { Workspace } from '#flows/workspace.ts';
import type { Io } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { safeText } from '#report/index.ts';
import { pick } from './pick.ts';
import { type ImportFlags, runImport } from './run-import.ts';

interface Options extends ImportFlags {
  local?: boolean;
  pulled?: boolean;
  printCwd?: boolean;
}

/** relay import */
export async function importCommand(io: Io, name: string | undefined, options: Options): Promise<number> {
  if (name === undefined) return pick(io, options);
  const ws = await workspace(io);
  needAccepted(ws, 'import');
  const found = await find(ws, name, options.local ? 'local' : options.pulled ? 'pulled' : undefined);
  if (options.printCwd) {
    io.stdout.write(`${safeText(await cwdOf(ws, found))}\n`);
    return 0;
  }
  if (options.to === undefined) throw new RelayError('usage', 'relay import needs the agent to import into.', 'Add --to claude-code or --to codex.');
  return runImport(io, ws, found, { ...options, to: options.to });
}

async function cwdOf(ws: Workspace, found: Found): Promise<string> {
  if (found.kind === 'local') return found.card.cwd;
  const version = await ws.openHandoff(found.card, found.version);
  const root = ws.repository?.workTree ?? ws.cwd;
  const { cwd } = manifestOf(version).session;
  return folderWithin(root, cwd) === null ? root : (await pathsOf(ws, root)).decode(cwd);
}
