import { lstat, realpath, stat } from 'node:fs/promises';
import { RelayError } from '#lib/errors.ts';
import { writeWhole } from '#store/files.ts';
import type { Redacted } from './redact-text.ts';

/**
 * Where a report is to be written, checked before anything is read: a link is followed to the file that it leads to, so that the file is replaced and
 * not the link. RelayError `usage` where that is no file, or the input itself.
 */
export async function reportPlace(path: string, input: string | undefined): Promise<string> {
  const place = await realpath(path).catch(() => undefined);
  if (place === undefined) {
    if (!(await lstat(path).catch(() => undefined))) return path;
    throw new RelayError('usage', `${path} is a link that leads nowhere; no report can be written there.`, 'Name the file itself: --report <file>');
  }
  if (!(await stat(place)).isFile())
    throw new RelayError('usage', `${path} is no regular file; no report can be written there.`, 'For example: --report redaction.json');
  if (input !== undefined && place === (await realpath(input).catch(() => undefined)))
    throw new RelayError('usage', `The report would replace ${path}, which is to be read.`, 'Name another file: --report <file>');
  return place;
}

/** Writes the report whole: a reader finds the old one or the new one. */
export async function writeReport(place: string, redacted: Redacted): Promise<void> {
  await writeWhole(place, `${JSON.stringify(redacted, null, 2)}\n`);
}
