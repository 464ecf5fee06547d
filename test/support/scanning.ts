import { createRedactor } from '#redact/index.ts';
import type { Engine } from '../../redact/engine/engine.ts';

/** The text with `#` for each hit of an engine. */
export function clearedBy(engine: Engine, text: string): string {
  let out = '';
  let from = 0;
  for (const hit of engine.scan(text, '')) {
    out += `${text.slice(from, hit.start)}#`;
    from = hit.end;
  }
  return out + text.slice(from);
}

/** The text with `#` for each placeholder that a redactor puts. */
export const redactedBy = (key: Buffer, text: string): string =>
  createRedactor({ key })
    .text(text, 'x')
    .replace(/\[REDACTED:[^\]]+\]/g, '#');

/** Milliseconds of the processor for a text that says a part over and over: of 400,000 characters, and of a quarter of them. */
export function timesOf(part: string, work: (text: string) => unknown, warmUp = 50_000): { small: number; large: number } {
  const time = (length: number): number => {
    const text = part.repeat(Math.ceil(length / part.length));
    const start = process.cpuUsage();
    work(text);
    const used = process.cpuUsage(start);
    return (used.user + used.system) / 1000;
  };
  time(warmUp);
  return { small: time(100_000), large: time(400_000) };
}

/** What a call throws. */
export function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}
