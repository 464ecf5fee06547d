import type { Checked } from '#flows/redact-check.ts';
import { type Io, printJson } from '#io/io.ts';
import { kindName } from '#redact/index.ts';
import { count, safeText } from '#report/index.ts';

interface How {
  json?: boolean | undefined;
  /** its fingerprints mean something on another run too */
  inClone: boolean;
}

/** Prints what was found. Answers the exit code: 3 where there is anything, 1 where something could not be examined. */
export function printChecked(io: Io, checked: Checked, { json, inClone }: How): number {
  if (json) printJson(io, checked);
  else {
    for (const finding of checked.findings) io.stdout.write(`${describe(finding)}\n`);
    io.stderr.write(`${summary(checked)}\n`);
    if (checked.total && !inClone) io.stderr.write('Outside of a clone fingerprints are good for this run only: none of them can be allowed.\n');
  }
  return checked.total ? 3 : checked.incomplete ? 1 : 0;
}

/** "a.jsonl:12: GitHub token gh:0a1b2c3d at /message/content (2×)" */
function describe({ file = 'stdin', kind, fingerprint, record, path, count: times }: Checked['findings'][number]): string {
  const where = path ? ` at ${safeText(path)}` : '';
  return `${safeText(file)}:${record.replace(/^line /, '')}: ${kindName(kind)} ${kind}:${fingerprint}${where}${times > 1 ? ` (${times}×)` : ''}`;
}

/** "2 secrets were found: 2 × GitHub token." */
export function summary({ total, byKind, unlisted, incomplete }: Checked): string {
  if (!total) return incomplete ? 'Nothing was found in what could be read; not everything could be.' : 'Nothing was found.';
  const kinds = Object.entries(byKind).map(([kind, n]) => `${n} × ${kindName(kind)}`);
  return `${count(total, 'secret was', 'secrets were')} found: ${kinds.join(', ')}.${unlisted ? ` ${count(unlisted, 'place is', 'places are')} counted and not listed.` : ''}`;
}
