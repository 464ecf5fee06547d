import { workspace } from '#flows/context.ts';
import { type Check, type Diagnosis, diagnose, isBroken, unreadable } from '#flows/doctor.ts';
import { needAdapter } from '#flows/find.ts';
import { recordingOf } from '#hooks/recording.ts';
import { type Io, printJson } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { safeLine } from '#report/index.ts';

interface Options {
  json?: boolean;
  remote?: boolean;
}

/** relay doctor: exit code 1 when something is broken. */
export async function doctor(io: Io, options: Options): Promise<number> {
  const diagnosis = await look(io, options);
  if (options.json) printJson(io, diagnosis);
  else {
    io.stdout.write(`repository\n${lines(io, diagnosis.repository)}`);
    for (const { agent, checks } of diagnosis.agents) io.stdout.write(`${needAdapter(agent).title}\n${lines(io, checks)}`);
  }
  return isBroken(diagnosis) ? 1 : 0;
}

async function look(io: Io, options: Options): Promise<Diagnosis> {
  try {
    const ws = await workspace(io);
    return await diagnose(ws, () => recordingOf(ws, io.program), options);
  } catch (error) {
    if (error instanceof RelayError && (error.code === 'config' || error.code === 'not-a-repository')) return unreadable(error);
    throw error;
  }
}

const WIDTH = 9;

function lines({ stdout: { paint } }: Io, checks: readonly Check[]): string {
  const colour = { ok: paint.green, warning: paint.yellow, broken: paint.red, missing: paint.dim };
  const fixed = ({ fix }: Check): string => (fix === null ? '' : `${' '.repeat(WIDTH + 2)}${safeLine(fix)}\n`);
  return checks.map((one) => `  ${colour[one.state](one.state.padEnd(WIDTH))}${one.check}: ${safeLine(one.found)}\n${fixed(one)}`).join('');
}
