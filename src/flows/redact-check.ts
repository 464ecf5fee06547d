import { stat } from 'node:fs/promises';
import { RelayError } from '#lib/errors.ts';
import type { Finding, RedactionOptions } from '#redact/index.ts';
import { type Input, openInput, pipedInput } from './redact-input.ts';
import { type Redacted, type RedactTo, redactInput } from './redact-text.ts';

/** What is read: a file, or what is piped in. */
export interface Source {
  /** as it was typed; "stdin" for what is piped in */
  name: string;
  /** undefined for what is piped in */
  path?: string | undefined;
}

/** Findings of one input or of several. */
export interface Checked extends Redacted {
  findings: (Finding & { file?: string })[];
  /** something could not be examined, so that nothing found does not mean that nothing is there */
  incomplete?: true;
}

/** Why an input was not examined, or only in part. */
export interface Unexamined {
  name: string;
  reason: string;
  hint: string;
}

/** So many findings are listed. */
const LISTED_MAX = 100_000;

interface Steps {
  /** what is looked for in a source */
  options: (source: Source) => RedactionOptions;
  stdin: () => AsyncIterable<Buffer>;
  progress: (source: Source, input: Input) => NonNullable<RedactTo['progress']>;
  /** told of each input that could not be examined */
  unexamined: (what: Unexamined) => void;
}

/** Looks for secrets in some inputs, one after the other, each for itself. Errors of the system (a file that is not there) before any of them is read. */
export async function checkInputs(sources: readonly Source[], steps: Steps): Promise<Checked> {
  for (const { path } of sources) if (path !== undefined) await stat(path);
  let all: Checked | undefined;
  for (const source of sources) all = together(all, await checkInput(source, steps));
  return all as Checked;
}

async function checkInput(source: Source, { options, stdin, progress, unexamined }: Steps): Promise<Checked> {
  const { name, path } = source;
  const input = await (path === undefined ? pipedInput(stdin(), 'The input') : openInput(path)).catch((error) => {
    if (!(error instanceof RelayError && error.code === 'unknown-format')) throw error;
    unexamined({ name, reason: error.message, hint: error.hint ?? '' });
    return undefined;
  });
  const found = await redactInput(input ?? NOTHING, options(source), input ? { progress: progress(source, input) } : {});
  if (input?.binary) unexamined({ name, reason: `${name} is not all text: only what can be read in it was looked at.`, hint: UNPACK });
  return described(found, input, path === undefined ? undefined : name);
}

const UNPACK = 'What is compressed or packed has to be unpacked first, e.g. gzip -dc <file> | relay redact --check';

const NOTHING: Input = { ahead: none, all: none, whole: true, held: true, size: 0, binary: false };
async function* none(): AsyncGenerator<Buffer> {}

/** What was found in an input, with its name beside each finding. */
export function described(found: Redacted, input: Input | undefined, file: string | undefined): Checked {
  const findings = file === undefined ? found.findings : found.findings.map((finding) => ({ file, ...finding }));
  return { ...found, findings, ...(!input || input.binary ? { incomplete: true as const } : {}) };
}

function together(before: Checked | undefined, more: Checked): Checked {
  if (!before) return more;
  const byKind = { ...before.byKind };
  for (const [kind, n] of Object.entries(more.byKind)) byKind[kind] = (byKind[kind] ?? 0) + n;
  const listed = [...before.findings, ...more.findings];
  const findings = listed.slice(0, LISTED_MAX);
  const unlisted = listed.slice(LISTED_MAX).reduce((sum, { count }) => sum + count, (before.unlisted ?? 0) + (more.unlisted ?? 0));
  const { unlisted: _, incomplete, ...rest } = before;
  return {
    ...rest,
    total: before.total + more.total,
    byKind,
    findings,
    ...(unlisted ? { unlisted } : {}),
    ...(incomplete || more.incomplete ? { incomplete: true as const } : {}),
  };
}
