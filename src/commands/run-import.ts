import { spawnSync } from 'node:child_process';
import { type Found, needAdapter } from '#flows/find.ts';
import { type Imported, importSession } from '#flows/import.ts';
import type { Workspace } from '#flows/workspace.ts';
import { type Io, printJson } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { bytes, commandLine, safeLine, safeText, safeTitle } from '#report/index.ts';

export interface ImportFlags {
  json?: boolean;
  to?: string;
  cwd?: string;
  dryRun?: boolean;
  again?: boolean;
  strict?: boolean;
  launch?: boolean;
}

/** Imports what was found and prints the result. */
export async function runImport(io: Io, ws: Workspace, found: Found, options: ImportFlags & { to: string }): Promise<number> {
  needAdapter(options.to);
  const imported = await importSession(ws, found, {
    to: options.to,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    ...(options.dryRun ? { dryRun: true } : {}),
    ...(options.again ? { again: true } : {}),
    ...(options.strict ? { strict: true } : {}),
  });
  if (options.json) printJson(io, imported);
  else report(io, imported, options.dryRun === true);
  return options.launch && !options.dryRun ? launch(io, imported) : 0;
}

function report(io: Io, imported: Imported, dry: boolean): void {
  for (const note of imported.notes) io.stderr.write(`${safeText(note)}\n`);
  const agent = needAdapter(imported.agent).title;
  if (!imported.already) {
    io.stdout.write(
      `${dry ? 'Would become' : 'Imported as'} a ${agent} session: ${safeTitle(imported.title)}\n  from ${safeLine(imported.from)}\n  ${safeLine(imported.path)}\n`,
    );
    io.stdout.write(`  the model gets ${imported.view.items} items, about ${imported.view.tokens} tokens (${bytes(imported.view.bytes)})\n`);
    reportDrift(io, imported);
    reportLoss(io, imported);
  }
  if (!dry) io.stdout.write(`Go on with:\n  cd ${commandLine([imported.resume.cwd])} && ${commandLine([imported.resume.command, ...imported.resume.args])}\n`);
}

function reportDrift(io: Io, { drift }: Imported): void {
  if (!drift.length) return;
  const differs = drift.filter((d) => d.state !== 'same');
  io.stdout.write(`  files of the session: ${drift.length - differs.length} same, ${differs.length} different here\n`);
  for (const d of differs.slice(0, 12)) io.stdout.write(`    ${d.state} ${safeLine(d.path)}${d.to ? ` → ${safeLine(d.to)}` : ''}\n`);
  if (differs.length > 12) io.stdout.write(`    and ${differs.length - 12} more (relay check)\n`);
}

/** The loss report, equal lines told once with their number. */
function reportLoss(io: Io, { loss }: Imported): void {
  if (!loss.length) {
    io.stdout.write('  nothing was changed or left out\n');
    return;
  }
  const groups = new Map<string, number>();
  for (const l of loss) groups.set(`${l.action} ${l.kind}: ${l.reason}`, (groups.get(`${l.action} ${l.kind}: ${l.reason}`) ?? 0) + 1);
  io.stdout.write(`  changed, shortened, added or left out (${loss.length}):\n`);
  for (const [text, count] of [...groups].slice(0, 20)) io.stdout.write(`    ${count > 1 ? `${count} × ` : ''}${safeText(text)}\n`);
  if (groups.size > 20) io.stdout.write(`    and ${groups.size - 20} more kinds (--json lists all)\n`);
}

/** Starts the agent on the new session, in this terminal. */
function launch(io: Io, { resume }: Imported): number {
  const ended = spawnSync(resume.command, resume.args, { cwd: resume.cwd, stdio: 'inherit', env: io.env as NodeJS.ProcessEnv });
  if (ended.error)
    throw new RelayError(
      'failed',
      `${resume.command} could not be started: ${ended.error.message}.`,
      'Install the agent, or start it by hand with the command above.',
    );
  return ended.status ?? 1;
}
