import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Redactor } from '#redact/index.ts';
import { attachmentId } from '#session/codec.ts';
import type { SourceFile } from '#session/source.ts';
import type { StoredVersion, VersionWriter } from '#store/types.ts';
import type { CaptureState } from './capture.ts';

/** A file beside the transcript, as the manifest lists it. */
export interface StoredFile {
  name: string;
  sha256: string;
  bytes: number;
}

/** What is stored of a session already. */
interface Stored {
  base: StoredVersion | null;
  /** see capture */
  floor: StoredVersion | null;
  /** state of the last capture; undefined: every file is read again */
  before: CaptureState | undefined;
}

/**
 * Stores the files beside the transcript, redacted; one that has not changed is not read.
 * @param state gets what tells whether they have changed next time
 * @param passed told of each file, and from where on it was read
 */
export async function captureFiles(
  files: SourceFile[],
  redactor: Redactor,
  { base, floor, before }: Stored,
  writer: VersionWriter,
  state: CaptureState,
  passed: (file: SourceFile, from: number) => void,
): Promise<StoredFile[]> {
  const known = filesOf(base);
  const out: StoredFile[] = [];
  for (const file of files) {
    const { size, mtimeMs } = await stat(file.path);
    const name = redactor.text(file.name, 'file name');
    const stamp = createHash('sha256').update(`${size} ${mtimeMs}`).digest('hex').slice(0, 16);
    const same = before?.files[name] === stamp ? known.get(name) : undefined;
    state.files[name] = stamp;
    if (same) out.push(same);
    else {
      const clean = redactFile(await readFile(file.path), name, redactor, await storedFile(floor, name));
      writer.attachment(clean);
      out.push({ name, sha256: attachmentId(clean), bytes: clean.length });
    }
    passed(file, same ? size : 0);
  }
  return out;
}

const filesOf = (version: StoredVersion | null): Map<string, StoredFile> =>
  new Map(((version?.manifest.files as StoredFile[] | undefined) ?? []).map((f) => [f.name, f]));

/** What was stored of a file; nothing where it cannot be had any more. */
async function storedFile(version: StoredVersion | null, name: string): Promise<Buffer | undefined> {
  const stored = filesOf(version).get(name);
  return stored && version?.attachment(stored.sha256).catch(() => undefined);
}

function redactFile(bytes: Buffer, name: string, redactor: Redactor, stored: Buffer | undefined): Buffer {
  if (!isUtf8(bytes)) return redactor.bytes(bytes, name, stored);
  const text = bytes.toString('utf8');
  const clean = redactor.text(text, name, '', stored?.toString('utf8'));
  return clean === text ? bytes : Buffer.from(clean, 'utf8');
}
