import { readFileSync } from 'node:fs';
import { parseLine, toRecord } from '#session/codec.ts';
import type { Streams } from '#session/conversation.ts';
import type { SessionRecord } from '#session/record.ts';
import { draft } from '../../adapters/claude-code/draft.ts';

/** The canonical records of a Claude Code transcript, made line by line as a push makes them. */
export function claudeRecords(bytes: Buffer): SessionRecord[] {
  const out: SessionRecord[] = [];
  let start = 0;
  while (start < bytes.length) {
    const feed = bytes.indexOf(10, start);
    const end = feed < 0 ? bytes.length : feed;
    const parsed = parseLine(bytes.subarray(start, end));
    const record: SessionRecord = 'line' in parsed ? toRecord(draft(parsed.line.value as never), parsed.line) : { type: 'raw', ...parsed };
    out.push(feed < 0 ? { ...record, eol: false } : record);
    start = end + 1;
  }
  return out;
}

export const claudeStreams = (path: string): Streams => new Map([['main', claudeRecords(readFileSync(path))]]);
export const linesToRecords = (lines: object[]): SessionRecord[] => claudeRecords(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));
