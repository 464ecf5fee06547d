import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import { writeWhole } from '#store/files.ts';
import type { Checked } from './redact-check.ts';

/**
 * Where a report is to be written, checked before anything is read: a link is followed to the file that it leads to, so that the file is replaced and
 * not the link. RelayError `usage` where that is no file, one of the inputs, or in a folder that is not there.
 */
export async function reportPlace(path: string, inputs: readonly string[]): Promise<string> {
  const place = await realpath(path).catch(() => undefined);
  if (place === undefined) {
    if (!(await lstat(path).catch(() => undefined))) return inFolder(path);
    throw new RelayError('usage', `${path} is a link that leads nowhere; no report can be written there.`, 'Name the file itself: --report <file>');
  }
  if (!(await stat(place)).isFile())
    throw new RelayError('usage', `${path} is no regular file; no report can be written there.`, 'For example: --report redaction.json');
  const read = await Promise.all(inputs.map((input) => realpath(input).catch(() => undefined)));
  if (read.includes(place)) throw new RelayError('usage', `The report would replace ${path}, which is to be read.`, 'Name another file: --report <file>');
  return place;
}

async function inFolder(path: string): Promise<string> {
  const folder = dirname(path);
  const info = await stat(folder).catch(() => undefined);
  if (info?.isDirectory()) return path;
  throw new RelayError(
    'usage',
    `The folder of the report, ${folder}, ${info ? 'is none' : 'does not exist'}.`,
    'Make it first, or name another file: --report <file>',
  );
}

/** Writes the report whole: a reader finds the old one or the new one. */
export async function writeReport(place: string, checked: Checked): Promise<void> {
  await writeWhole(place, `${JSON.stringify(checked, null, 2)}\n`);
}
