import { applyEdits, modify, parse } from 'jsonc-parser';
import { asObject, type Json } from '#lib/json.ts';

const AT = ['redact', 'allow', 'fingerprints'];
const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } };

/** The text of a settings file with one more entry in redact.allow.fingerprints; all else, comments too, stays as it is. */
export function withFingerprint(text: string, fingerprint: string): string {
  const whole = text.trim() ? text : '{}\n';
  const allow = asObject(asObject(asObject(parse(whole) as Json)?.redact)?.allow);
  const list = allow?.fingerprints;
  if (!Array.isArray(list)) return applyEdits(whole, modify(whole, AT, [fingerprint], FORMAT));
  if (list.includes(fingerprint)) return text;
  return applyEdits(whole, modify(whole, [...AT, list.length], fingerprint, { ...FORMAT, isArrayInsertion: true }));
}
