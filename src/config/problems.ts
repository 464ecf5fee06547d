import * as z from 'zod';
import { RelayError } from '#lib/errors.ts';
import { atPointer, isObject, type Json } from '#lib/json.ts';
import { nearest } from '#lib/nearest.ts';
import { schemaAt, settingsSchema, unwrap } from './schema.ts';

/** A mistake in settings. */
export interface Problem {
  path: readonly PropertyKey[];
  /** a sentence without its full stop */
  what: string;
  hint?: string | undefined;
}

/** All that the schema says against a value. */
export function schemaProblems(value: unknown): Problem[] {
  const { error } = settingsSchema.safeParse(value);
  return (error?.issues ?? []).flatMap((issue) => (issue.code === 'unrecognized_keys' ? unknownKeys(issue) : [problemOf(issue, value)]));
}

function unknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys): Problem[] {
  const schema = schemaAt(issue.path);
  const parent = schema && unwrap(schema);
  const known = parent instanceof z.ZodObject ? Object.keys(parent.shape) : [];
  return issue.keys.map((key) => {
    const path = [...issue.path, key];
    return { path, what: `unknown setting "${path.join('.')}"`, hint: meant(key, known, issue.path.join('.')) };
  });
}

function problemOf(issue: z.core.$ZodIssue, value: unknown): Problem {
  const { path } = issue;
  const hint = schemaAt(path)?.description;
  if (issue.code === 'invalid_type' && path.length && atPointer(value as Json, `/${path.join('/')}`) === undefined)
    return { path, what: `${nameOf(path.slice(0, -1), value)} needs ${String(path.at(-1))}`, hint };
  return { path, what: `${nameOf(path, value)}: ${issue.message.replace(/^Invalid input: /, '')}`, hint };
}

/** "pull.days"; within a rule of one's own "redact.rules, rule "acme": hits.0". */
export function nameOf(path: readonly PropertyKey[], value: unknown): string {
  const [first, second, index, ...rest] = path;
  if (first !== 'redact' || second !== 'rules' || typeof index !== 'number') return path.join('.') || 'the file';
  const rule = atPointer(value as Json, `/redact/rules/${index}`);
  const name = isObject(rule) && typeof rule.id === 'string' && rule.id ? `"${rule.id}"` : String(index + 1);
  return `redact.rules, rule ${name}${rest.length ? `: ${rest.join('.')}` : ''}`;
}

/** Which of the known ones was meant. */
export function meant(key: string, known: readonly string[], inside = ''): string {
  const near = nearest(key, known);
  const full = (name: string) => (inside ? `${inside}.${name}` : name);
  return near ? `Did you mean "${full(near)}"?` : `Known here: ${known.map(full).join(', ')}.`;
}

/** All mistakes as one error. `where` says where a path stands, `mend` what to do about them. */
export function errorOf(problems: readonly Problem[], where: (path: readonly PropertyKey[]) => string, mend?: string): RelayError {
  const sentence = ({ path, what }: Problem): string => `${where(path)}: ${what}.`;
  const [first, ...more] = problems as [Problem, ...Problem[]];
  if (!more.length) return new RelayError('config', sentence(first), [first.hint, mend].filter(Boolean).join(' ') || undefined);
  const lines = problems.map((problem) => [sentence(problem), problem.hint].filter(Boolean).join(' '));
  return new RelayError('config', `There are ${problems.length} mistakes in the settings:\n${lines.map((line) => `  ${line}`).join('\n')}`, mend);
}
