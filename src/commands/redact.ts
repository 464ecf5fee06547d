import { resolve } from 'node:path';
import { LOOSENING, unheeded } from '#flows/accepted.ts';
import { workspace } from '#flows/context.ts';
import { type Checked, checkInputs, described, type Source } from '#flows/redact-check.ts';
import { type Input, openInput, pipedInput } from '#flows/redact-input.ts';
import { reportPlace, writeReport } from '#flows/redact-report.ts';
import { redactInput } from '#flows/redact-text.ts';
import { redactionIn, redactionOf } from '#flows/redaction.ts';
import type { Io } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import type { RedactionOptions } from '#redact/index.ts';
import { bytes, safeText } from '#report/index.ts';
import { allow } from './redact-allow.ts';
import { printChecked, summary } from './redact-findings.ts';
import { printKinds } from './redact-kinds.ts';

export interface Options {
  json?: boolean;
  verbose?: boolean;
  check?: boolean;
  report?: string;
  kinds?: boolean;
  allow?: string;
}

/** Shorter work needs no progress, in ms. */
const SHORT = 1000;
const STDOUT = '-';

/** relay redact [file…] */
export async function redact(io: Io, files: string[], options: Options): Promise<number> {
  checkUsage(files, options);
  if (options.kinds) return printKinds(io, options);
  if (options.allow !== undefined) return allow(io, options.allow, options);
  const sources = sourcesOf(io, files);
  const ws = await workspace(io);
  const report = await placeOfReport(io, sources, options);
  if (!options.json) for (const note of unheeded(ws, LOOSENING)) io.stderr.write(`note: ${note}\n`);
  const all = await redactionOf(ws);
  const redaction = ({ path }: Source) => (path === undefined ? all : redactionIn(path, ws, all));
  const checked = options.check ? await check(io, sources, redaction, options) : await give(io, sources[0] as Source, redaction, options);
  if (report !== undefined) await writeReport(report, checked);
  if (options.check) return printChecked(io, checked, { ...options, json: options.json || options.report === STDOUT, inClone: ws.repository !== undefined });
  if (options.verbose) io.stderr.write(`${summary(checked)}\n`);
  return 0;
}

function checkUsage(files: readonly string[], { kinds, allow: allowed, check: checks, json, report }: Options): void {
  const option = kinds ? '--kinds' : allowed === undefined ? undefined : '--allow';
  if (option && files.length)
    throw new RelayError(
      'usage',
      `relay redact ${option} reads no file, so "${files[0]}" means nothing there.`,
      `For example: relay redact ${kinds ? option : '--allow gh:1a2b3c4d'}`,
    );
  if (option || checks) return;
  if (json)
    throw new RelayError('usage', 'What relay redact gives out is the text itself, no JSON document.', 'relay redact --check --json, or --report <file>');
  if (report === STDOUT)
    throw new RelayError(
      'usage',
      'What relay redact gives out is the text itself, so the report cannot go there too.',
      'Name a file (--report findings.json), or only check: relay redact --check --report -',
    );
  if (files.length > 1)
    throw new RelayError(
      'usage',
      'One file is redacted at a time, or their texts would run together.',
      'relay redact a.txt > a.clean.txt for each; relay redact --check takes several.',
    );
}

function sourcesOf(io: Io, files: readonly string[]): Source[] {
  const isStdin = (file: string) => file === '-';
  if (files.filter(isStdin).length > 1)
    throw new RelayError('usage', 'What is piped in can be read once only.', 'Name - once: relay redact --check - notes.md');
  if (!files.length && io.stdin.isTTY)
    throw new RelayError('usage', 'There is nothing to read.', 'Name a file (relay redact session.jsonl), pipe text in, or say - to type it.');
  return (files.length ? files : ['-']).map((file) => (isStdin(file) ? { name: 'stdin' } : { name: file, path: resolve(io.cwd, file) }));
}

/** Where the report is written to; undefined where none is, or where it is what is printed. */
async function placeOfReport(io: Io, sources: readonly Source[], { report }: Options): Promise<string | undefined> {
  if (report === undefined || report === STDOUT) return undefined;
  return reportPlace(
    resolve(io.cwd, report),
    sources.flatMap(({ path }) => path ?? []),
  );
}

type Redaction = (source: Source) => RedactionOptions;

function check(io: Io, sources: readonly Source[], redaction: Redaction, options: Options): Promise<Checked> {
  return checkInputs(sources, {
    options: redaction,
    stdin: () => io.stdin.bytes(),
    progress: (_, input) => progressOf(io, options, input),
    unexamined: ({ reason, hint }) => io.stderr.write(`${safeText(reason)}\n  ${safeText(hint)}\n`),
  });
}

/** Writes the text of one input out, without its secrets. */
async function give(io: Io, source: Source, redaction: Redaction, options: Options): Promise<Checked> {
  const { path, name } = source;
  const input = await (path === undefined ? pipedInput(io.stdin.bytes(), 'The input') : openInput(path));
  const found = await redactInput(input, redaction(source), { write: (made: Buffer) => io.stdout.send(made), progress: progressOf(io, options, input) });
  if (input.binary) io.stderr.write('The input is not all text: only what can be read in it was looked at.\n');
  return described(found, input, path === undefined ? undefined : name);
}

/** Nothing is said where the text itself goes to the terminal. */
function progressOf(io: Io, options: Options, { size, whole }: Input): (seen: number) => void {
  const started = Date.now();
  // Both passes count.
  const done = (seen: number) => (size && whole ? `${Math.min(99, Math.floor((50 * seen) / size))} %` : bytes(seen));
  return (seen) => {
    if (Date.now() - started > SHORT && (options.check || !io.stdout.isTTY)) io.progress(`looking for secrets: ${done(seen)}`);
  };
}
