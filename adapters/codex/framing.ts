import { asObject, parseJson } from '#lib/json.ts';

/** An output without what the client writes before it, and what that says. */
export interface Framed {
  output: string;
  /** exit code of the command */
  exit?: number;
  /** number of the session that a command goes on in */
  session?: string;
  /** number of the cell that a script goes on in */
  cell?: string;
  script?: 'completed' | 'failed' | 'terminated' | 'running';
}

/** The lines that may stand before `Output:`: `Exit code: N` (0.80), `Process exited with code N` (from 0.100), scripts of code mode. */
const LINE =
  /^(?:Chunk ID: \S*|Wall time:? [\d.]+ seconds?|Original token count: \d+|Total output lines: \d+|(?:Exit code: |Process exited with code )(?<exit>-?\d+)|Process running with session ID (?<session>\S+)|Script (?<script>completed|failed|terminated|running)(?: with cell ID (?<cell>\S+))?)$/;
const LINES_MAX = 8;
const TRUNCATED = /^Warning: truncated output \(original token count: \d+\)\n(?:Total output lines: \d+\n)?\n?/;

/** undefined: the text has no such frame. */
export function unframed(text: string): Framed | undefined {
  return structured(text) ?? headed(text);
}

/** `{"output": "…", "metadata": {"exit_code": 0, …}}`, up to 0.100 */
function structured(text: string): Framed | undefined {
  if (!text.startsWith('{"output":')) return undefined;
  const value = asObject(parseJson(text));
  const exit = asObject(value?.metadata)?.exit_code;
  return typeof value?.output === 'string' && typeof exit === 'number' ? { output: value.output.replace(TRUNCATED, ''), exit } : undefined;
}

function headed(text: string): Framed | undefined {
  const found: Partial<Record<'exit' | 'session' | 'script' | 'cell', string>> = {};
  let at = 0;
  for (let n = 0; n < LINES_MAX; n++) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, end < 0 ? undefined : end);
    if (line === 'Output:' && n > 0) return framed(end < 0 ? '' : text.slice(end + 1), found);
    const match = LINE.exec(line);
    if (!match || end < 0) return undefined;
    for (const [name, value] of Object.entries(match.groups ?? {})) if (value !== undefined) found[name as keyof typeof found] = value;
    at = end + 1;
  }
  return undefined;
}

function framed(output: string, { exit, session, script, cell }: Partial<Record<'exit' | 'session' | 'script' | 'cell', string>>): Framed {
  return {
    output: output.replace(TRUNCATED, ''),
    ...(exit === undefined ? {} : { exit: Number(exit) }),
    ...(session === undefined ? {} : { session }),
    ...(cell === undefined ? {} : { cell }),
    ...(script === undefined ? {} : { script: script as NonNullable<Framed['script']> }),
  };
}
