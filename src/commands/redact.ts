import { resolve } from 'node:path';
import { allowFingerprint } from '#flows/allow.ts';
import { workspace } from '#flows/context.ts';
import { type Input, openInput, pipedInput } from '#flows/redact-input.ts';
import { reportPlace, writeReport } from '#flows/redact-report.ts';
import { type Redacted, redactInput } from '#flows/redact-text.ts';
import { redactionOf, unheeded } from '#flows/redaction.ts';
import { type Io, printJson } from '#io/io.ts';
import { RelayError } from '#lib/errors.ts';
import { type Finding, kindList, kindName } from '#redact/index.ts';
import { bytes, count, safeText, tableFor } from '#report/index.ts';

interface Options {
  json?: boolean;
  verbose?: boolean;
  check?: boolean;
  report?: string;
  kinds?: boolean;
  allow?: string;
}

/** Shorter work needs no progress, in ms. */
const SHORT = 1000;

/** relay redact [file] */
export async function redact(io: Io, file: string | undefined, options: Options): Promise<number> {
  if (options.kinds) return printKinds(io, options);
  if (options.allow !== undefined) return allow(io, options.allow, options);
  if (options.json && !options.check)
    throw new RelayError('usage', 'What relay redact gives out is the text itself, no JSON document.', 'relay redact --check --json, or --report <file>');
  const path = file === undefined || file === '-' ? undefined : resolve(io.cwd, file);
  const ws = await workspace(io);
  const report = options.report === undefined ? undefined : await reportPlace(resolve(io.cwd, options.report), path);
  if (!options.json) for (const note of unheeded(ws)) io.stderr.write(`note: ${note}\n`);
  const redaction = await redactionOf(ws, ws.repository?.workTree, path);
  const input = await inputOf(io, file, path);
  const redacted = await redactInput(input, redaction, {
    ...(options.check ? {} : { write: (made: Buffer) => io.stdout.send(made) }),
    progress: progressOf(io, options, input),
  });
  if (report !== undefined) await writeReport(report, redacted);
  if (input.binary) io.stderr.write('The input is not all text: only what can be read in it was looked at.\n');
  if (options.check) return printFindings(io, options, safeText(path === undefined ? 'stdin' : (file as string)), redacted);
  if (options.verbose) io.stderr.write(`${summary(redacted)}\n`);
  return 0;
}

async function allow(io: Io, given: string, options: Options): Promise<number> {
  const { fingerprint, path, added } = await allowFingerprint(await workspace(io), given);
  if (options.json) printJson(io, { allowed: fingerprint, added });
  else io.stdout.write(added ? `${fingerprint} is no secret in this clone any more: ${path}\n` : `${fingerprint} is allowed in this clone already: ${path}\n`);
  return 0;
}

function inputOf(io: Io, file: string | undefined, path: string | undefined): Promise<Input> {
  if (path !== undefined) return openInput(path);
  if (file === undefined && io.stdin.isTTY)
    throw new RelayError('usage', 'There is nothing to read.', 'Name a file (relay redact session.jsonl), pipe text in, or say - to type it.');
  return pipedInput(io.stdin.bytes(), 'The input');
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

function printFindings(io: Io, options: Options, name: string, redacted: Redacted): number {
  if (options.json) printJson(io, redacted);
  else {
    for (const finding of redacted.findings) io.stdout.write(`${describe(name, finding)}\n`);
    io.stderr.write(`${summary(redacted)}\n`);
  }
  return redacted.total ? 3 : 0;
}

/** "a.jsonl:12: GitHub token gh:0a1b2c3d at /message/content (2×)" */
function describe(name: string, { kind, fingerprint, record, path, count: times }: Finding): string {
  const where = path ? ` at ${safeText(path)}` : '';
  return `${name}:${record.replace(/^line /, '')}: ${kindName(kind)} ${kind}:${fingerprint}${where}${times > 1 ? ` (${times}×)` : ''}`;
}

function summary({ total, byKind, unlisted }: Redacted): string {
  if (!total) return 'Nothing was found.';
  const kinds = Object.entries(byKind).map(([kind, n]) => `${n} × ${kindName(kind)}`);
  return `${count(total, 'secret was', 'secrets were')} found: ${kinds.join(', ')}.${unlisted ? ` ${count(unlisted, 'place is', 'places are')} counted and not listed.` : ''}`;
}

async function printKinds(io: Io, options: Options): Promise<number> {
  const kinds = kindList((await workspace(io)).settings.redact);
  const rows = kinds.map(({ id, name, family, setting }) => [id, name, setting ?? family]);
  if (options.json) printJson(io, { kinds });
  else io.stdout.write(await tableFor(io.stdout, ['kind', 'what it is', 'family, or the setting that asks for it'], rows, () => ({ rows })));
  return 0;
}
