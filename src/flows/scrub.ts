import { adapterById } from '#adapters/registry.ts';
import { type Json, type JsonObject, parseJson } from '#lib/json.ts';
import { createScrubber, type Marked, type Scrubber, valuesBetween } from '#redact/scrub.ts';
import { attach, decodeRecord, encodeRecord, nativeValue, toRecord } from '#session/codec.ts';
import type { Draft, SessionRecord } from '#session/record.ts';
import type { Slots } from '#session/slot.ts';
import type { Scrub, Scrubbing } from '#store/scrub.ts';

/** What the store needs to take values out of what it holds. */
export const scrubbing = (remember: Scrubbing['remember']): Scrubbing => ({ scrub: scrubOf, between: valuesInLines, remember });

function scrubOf(values: readonly string[], mark: string): Scrub {
  const scrubber = createScrubber(values, mark);
  const small = values.map((value) => value.toLowerCase());
  return {
    mark,
    holds: (bytes) => holds(scrubber, bytes),
    inName: (name) => small.some((value) => name.toLowerCase().includes(value)),
    text: scrubber.text,
    bytes: scrubber.bytes,
    async line(line, agent, load, detach) {
      const known = sound(line);
      if (!known) return scrubber.line(line);
      const record = await attach(known, load);
      return encodeRecord(scrubbed(record, scrubber, adapterById(agent)?.slot ?? nowhere), detach);
    },
  };
}

/** The record of a line; undefined for one that is damaged or of a newer relay, which stays the JSON that it is. */
function sound(line: string): SessionRecord | undefined {
  try {
    return decodeRecord(line, 'a record');
  } catch {
    return undefined;
  }
}

const nowhere: Slots = () => undefined;

/** In whatever form: as it stands, and decoded where a line holds escapes of ordinary letters. */
function holds(scrubber: Scrubber, bytes: Buffer): boolean {
  if (!scrubber.mayHold(bytes) && !bytes.includes('\\u00')) return false;
  const text = bytes.toString('utf8');
  if (scrubber.finds(text) || (text.includes('\ufffd') && scrubber.finds(bytes.toString('latin1')))) return true;
  return text.includes('\\u00') && text.split('\n').some((line) => line.includes('\\u00') && scrubber.line(line) !== line);
}

/** The record without the values: its canonical part and its source line each for itself, and folded again. */
function scrubbed(record: SessionRecord, scrubber: Scrubber, slots: Slots): SessionRecord {
  const { eol, ...rest } = record;
  const end = eol === undefined ? {} : { eol };
  if (rest.type === 'raw') {
    if (rest.base64 !== undefined) return { type: 'raw', base64: scrubber.bytes(Buffer.from(rest.base64, 'base64')).toString('base64'), ...end };
    return { type: 'raw', text: scrubber.line(rest.text ?? '', slots), ...end };
  }
  const { native, ...canonical } = rest;
  const draft = unsealed(canonical as Draft, scrubber.value(canonical as unknown as JsonObject) as unknown as Draft);
  const exact = typeof native !== 'string';
  const source = exact ? scrubber.value(nativeValue(record) as Json, slots) : (native as string);
  const text = exact ? '' : scrubber.line(source as string, slots);
  return { ...toRecord(draft, { text, value: source, exact }), ...end };
}

/** A thought that was signed cannot be given back as it was signed any more. */
function unsealed(before: Draft, after: Draft): Draft {
  if (before === after || before.type !== 'message' || after.type !== 'message') return after;
  const content = after.content.map((block, i) => {
    const was = before.content[i];
    return block.type === 'thinking' && block.sealed && was?.type === 'thinking' && was.text !== block.text ? { ...block, signed: '' } : block;
  });
  return { ...after, content };
}

/** See Scrubbing.between. Lines stand for lines; those that differ in anything else say nothing. */
function valuesInLines(before: Buffer, after: Buffer, marks: readonly string[]): Marked[] {
  const [old, now] = [before.toString('utf8').split('\n'), after.toString('utf8').split('\n')];
  if (old.length !== now.length) return [];
  return now.flatMap((line, i) => {
    const was = old[i] as string;
    if (line === was || !marks.some((mark) => line.includes(mark))) return [];
    return valuesBetween(parseJson(was) ?? was, parseJson(line) ?? line, marks) ?? [];
  });
}
