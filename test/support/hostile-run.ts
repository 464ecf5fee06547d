import { createGate, createRedactor, pathMap, type RedactionOptions } from '#redact/index.ts';

/** What a text went through, with the milliseconds it took; `wrong` names what did not hold. */
export interface Ran {
  ms: Record<string, number>;
  wrong: string[];
}

export const KNOWN = 'n0tArealSecret-42';
const options: RedactionOptions = { key: Buffer.alloc(32, 7), known: [{ value: KNOWN, kind: 'known' }] };
const paths = pathMap({ home: '/home/ann', roots: [{ token: 'PROJECT', path: '/home/ann/proj' }] });
const never = () => undefined;

/** Redacts a text as a record, as a line that does not serialise back, and as a text; then asks the gate. */
export function runHostile(text: string): Ran {
  const ran: Ran = { ms: {}, wrong: [] };
  const step = <T>(name: string, work: () => T): T | undefined => {
    const started = performance.now();
    try {
      return work();
    } catch (error) {
      ran.wrong.push(`${name} fails: ${(error as Error).message.slice(0, 200)}`);
      return undefined;
    } finally {
      ran.ms[name] = performance.now() - started;
    }
  };
  const must = (ok: boolean, what: string): void => {
    if (!ok) ran.wrong.push(what);
  };
  const fresh = () => createRedactor({ ...options, paths });
  const record = { type: 'x', message: { content: text } };
  const made = step('record', () => fresh().record(record, 'main 0', never)) ?? record;
  const line = JSON.stringify(made);
  must(createRedactor(options).record(made, 'main 0', never) === made, 'a second redaction of the record changes it');
  const odd = JSON.stringify(record).replace('{', '{ ');
  const kept = step('line', () => fresh().line(odd, 'main 0', never)) ?? '{}';
  must(valid(kept), 'the line is no JSON any more');
  const plain = step('text', () => fresh().text(text, 'title')) ?? '';
  must(createRedactor(options).text(plain, 'title') === plain, 'a second redaction of the text changes it');
  const findings = step('gate', () => createGate(options).check(Buffer.from(`${line}\n`), 'transcript/main/000/000000.jsonl')) ?? [];
  must(findings.length === 0, `the gate finds ${findings.map(({ kind }) => kind).join()} in what was redacted`);
  return ran;
}

function valid(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
