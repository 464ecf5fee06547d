import { briefNamed } from '#flows/brief.ts';
import { workspace } from '#flows/context.ts';
import { recordPending } from '#hooks/pending.ts';
import { type Io, printJson } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { safeText } from '#report/index.ts';

interface Options {
  json?: boolean;
  write?: boolean;
  exitZero?: boolean;
}

/** relay brief <session or handoff> */
export async function brief(io: Io, name: string, options: Options): Promise<number> {
  try {
    await print(io, name === '-' ? await readName(io) : name, options);
    return 0;
  } catch (error) {
    if (!options.exitZero || !(error instanceof RelayError)) throw error;
    // Whoever cannot bear an exit code reads what is wrong on stdout.
    printJson(io, { error: { code: error.code, message: error.message, ...(error.hint ? { hint: error.hint } : {}) } });
    return 0;
  }
}

async function print(io: Io, name: string, { json, write }: Options): Promise<void> {
  const ws = await workspace(io);
  if (ws.repository) await recordPending(ws);
  const made = await briefNamed(ws, name);
  if (write) io.stdout.write(`${await made.write()}\n`);
  else if (json) printJson(io, { handoff: made.handoff, version: made.version, status: made.status, ...made.brief });
  else io.stdout.write(safeText(made.document));
}

/** The first line of what is piped in. */
async function readName(io: Io): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin.bytes()) chunks.push(chunk);
  const [name = ''] = Buffer.concat(chunks).toString('utf8').split('\n');
  if (!name.trim()) throw new RelayError('usage', 'No session was named on stdin.', 'For example: echo latest | relay brief -');
  return name.trim();
}
