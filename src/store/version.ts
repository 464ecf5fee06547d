import { join } from 'node:path';
import { RelayError } from '#lib/errors.ts';
import { asObject, type Json, parseJson } from '#lib/json.ts';
import { readStreamHeader } from '#session/codec.ts';
import { readJsonFile, writeWhole } from './files.ts';
import { readManifest, type StoredFields, type StreamEntry } from './manifest.ts';
import { attachmentPath, segmentPath } from './names.ts';
import type { Side } from './side.ts';
import type { StoredVersion } from './types.ts';

/** A version as the store itself works with it. */
export interface OpenVersion extends StoredVersion {
  fields: StoredFields;
}

/**
 * Opens the version that a commit holds.
 * @param handoff its name; undefined: what the manifest says
 */
export async function openVersion(side: Side, commit: string, handoff?: string): Promise<OpenVersion> {
  const [manifestObject, filesObject] = await Promise.all([side.objects.get(`${commit}:session.json`), side.objects.get(`${commit}:files.json`)]);
  if (!manifestObject) throw new RelayError('not-found', `Commit ${commit} holds no session.`);
  const { manifest, fields } = readManifest(manifestObject.bytes, handoff ?? commit);
  const name = handoff ?? fields.handoff;
  const entry = (stream: string): StreamEntry => {
    const found = fields.streams.find((one) => one.name === stream);
    if (!found) throw new RelayError('not-found', `${name}@${fields.version} has no stream ${stream}.`);
    return found;
  };
  return {
    handoff: name,
    commit,
    n: fields.version,
    manifest,
    files: filesObject ? (parseJson(filesObject.bytes.toString('utf8')) ?? null) : null,
    state: await readState(side, name, commit),
    streams: fields.streams.map(({ name, records }) => ({ name, records })),
    fields,
    lines: (stream, from = 0) => readLines(side, commit, entry(stream), from, `${name}@${fields.version} stream ${stream}`),
    async attachment(sha256) {
      const found = /^[0-9a-f]{64}$/.test(sha256) ? await side.objects.get(`${commit}:${attachmentPath(sha256)}`) : null;
      if (!found) throw new RelayError('not-found', `${name}@${fields.version} lacks the attachment ${sha256}.`);
      return found.bytes;
    },
  };
}

/** Record lines from record `from` on; the segments before it are not read. */
async function* readLines(side: Side, commit: string, stream: StreamEntry, from: number, where: string): AsyncGenerator<string> {
  let first = 0;
  let skip = from;
  while (first < stream.segments.length && skip >= (stream.segments[first] as [number, number])[0]) {
    skip -= (stream.segments[first] as [number, number])[0];
    first++;
  }
  const paths = stream.segments.slice(first).map((_, i) => `${commit}:${segmentPath(stream.name, first + i)}`);
  let header = first === 0;
  for await (const { bytes } of side.objects.all(paths, 2)) {
    for (const line of segmentLines(bytes)) {
      if (header) {
        // A stream of a newer format is refused, never half-read.
        readStreamHeader(line, where);
        header = false;
      } else if (skip > 0) skip--;
      else yield line;
    }
  }
}

/** The lines of a segment; each ends with a line feed. */
export function segmentLines(bytes: Buffer): string[] {
  const lines = bytes.toString('utf8').split('\n');
  lines.pop();
  return lines;
}

const stateFile = (side: Side, handoff: string): string => join(side.home, 'state', `${handoff.slice(handoff.indexOf('/') + 1)}.json`);

/** What the last `build` left for this very commit, else null. */
async function readState(side: Side, handoff: string, commit: string): Promise<unknown> {
  const file = asObject((await readJsonFile(stateFile(side, handoff))) as Json | undefined);
  return file?.handoff === handoff && file.commit === commit ? file.state : null;
}

export const writeState = (side: Side, handoff: string, commit: string, state: unknown): Promise<void> =>
  writeWhole(stateFile(side, handoff), JSON.stringify({ handoff, commit, state }));
