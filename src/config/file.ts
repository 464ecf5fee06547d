import { findNodeAtLocation, getNodeValue, type JSONPath, type Node, type ParseError, type ParseErrorCode, parseTree, printParseErrorCode } from 'jsonc-parser';
import * as z from 'zod';
import { RelayError } from '#lib/errors.ts';
import { atPointer, type Json } from '#lib/json.ts';
import { nearest } from '#lib/nearest.ts';
import { readRegularText } from '#lib/regular.ts';
import { ofClone, type SettingsLayer, schemaAt, settingsSchema, unwrap } from './schema.ts';

/** Longer text than this is no settings file. In UTF-16 units. */
const LARGEST = 1024 * 1024;

/** What is checked of a layer beside the schema; whatever is absent is not. */
export interface LayerChecks {
  /** names of the agents relay knows; a section for another one is an error */
  agents?: readonly string[];
  /** which file it is: some settings belong into one of them only */
  file?: 'user' | 'repository' | 'clone';
  /** why a rule of redact.rules cannot be used */
  faultInRule?: (rule: Rule) => string | undefined;
  /** why a pattern of redact.allow.patterns cannot be used */
  faultInAllowed?: (pattern: string) => string | undefined;
}

type Rule = NonNullable<NonNullable<SettingsLayer['redact']>['rules']>[number];
type Where = (path: readonly PropertyKey[]) => string;

/** Reads a settings file (JSON with comments and trailing commas). A file that does not exist is an empty layer. */
export async function readSettingsFile(path: string, checks?: LayerChecks): Promise<SettingsLayer> {
  let text: string;
  try {
    text = await readRegularText(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return {};
    throw new RelayError('config', error instanceof RelayError ? `${path} is no regular file.` : `${path} cannot be read: ${(error as Error).message}.`);
  }
  if (text.length > LARGEST) throw new RelayError('config', `${path} is larger than settings are (${LARGEST / 1024 / 1024} MB).`);
  return parseSettings(text, path, checks);
}

/** Parses and checks the text of a settings file. Errors name file, line and column, and for an unknown key the nearest known one. */
export function parseSettings(text: string, path: string, checks?: LayerChecks): SettingsLayer {
  const errors: ParseError[] = [];
  const tree = treeOf(text.replace(/^\ufeff/, ' '), path, errors);
  const [bad] = errors;
  if (bad) throw new RelayError('config', `${path}:${position(text, bad.offset)}: ${expected(bad.error)}.`);
  if (!tree) return {};
  return checkLayer(getNodeValue(tree), (at) => `${path}:${position(text, nodeOffset(tree, at))}`, checks);
}

function treeOf(text: string, path: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true });
  } catch (error) {
    if (error instanceof RangeError) throw new RelayError('config', `${path} is nested too deeply to be read.`);
    throw error;
  }
}

/** Checks one layer against the schema. `where` says where a path of it stands, for errors. */
export function checkLayer(value: unknown, where: Where, checks: LayerChecks = {}): SettingsLayer {
  const result = settingsSchema.safeParse(value);
  const [issue] = result.error?.issues ?? [];
  if (issue) throw explain(issue, where);
  const layer = value as SettingsLayer;
  const { agents } = checks;
  for (const name of Object.keys(layer.agents ?? {}))
    if (agents && !agents.includes(name)) throw new RelayError('config', `${where(['agents', name])}: relay knows no agent "${name}".`, meant(name, agents));
  checkPlaces(layer, where, checks);
  checkRedaction(layer, where, checks);
  return layer;
}

function checkPlaces(layer: SettingsLayer, where: Where, { file }: LayerChecks): void {
  if (file === undefined || file === 'clone') return;
  for (const key of ofClone) {
    const path = key.split('.');
    if (atPointer(layer as Json, `/${path.join('/')}`) === undefined) continue;
    throw new RelayError(
      'config',
      `${where(path)}: ${key} means something in one clone only: another clone has other fingerprints for the same values.`,
      'It belongs into <git common dir>/relay/config.jsonc; relay redact --allow <fingerprint> puts it there.',
    );
  }
}

function checkRedaction({ redact }: SettingsLayer, where: Where, { faultInRule, faultInAllowed }: LayerChecks): void {
  for (const [i, rule] of (redact?.rules ?? []).entries()) {
    const fault = faultInRule?.(rule);
    if (fault) throw new RelayError('config', `${where(['redact', 'rules', i])}: redact.rules, rule "${rule.id}": ${fault}.`);
  }
  for (const [i, pattern] of (redact?.allow?.patterns ?? []).entries()) {
    const fault = faultInAllowed?.(pattern);
    if (fault) throw new RelayError('config', `${where(['redact', 'allow', 'patterns', i])}: redact.allow.patterns.${i}: ${fault}.`);
  }
}

function explain(issue: z.core.$ZodIssue, where: Where): RelayError {
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0] as string;
    const name = [...issue.path, key].join('.');
    const schema = schemaAt(issue.path);
    const parent = schema && unwrap(schema);
    const known = parent instanceof z.ZodObject ? Object.keys(parent.shape) : [];
    return new RelayError('config', `${where([...issue.path, key])}: unknown setting "${name}".`, meant(key, known, issue.path.join('.')));
  }
  const name = issue.path.join('.') || 'the file';
  return new RelayError('config', `${where(issue.path)}: ${name}: ${issue.message.replace(/^Invalid input: /, '')}.`, schemaAt(issue.path)?.description);
}

function meant(key: string, known: readonly string[], inside = ''): string {
  const near = nearest(key, known);
  const full = (name: string) => (inside ? `${inside}.${name}` : name);
  return near ? `Did you mean "${full(near)}"?` : `Known here: ${known.map(full).join(', ')}.`;
}

/** Offset of the deepest node on `path` that exists. */
function nodeOffset(tree: Node, path: readonly PropertyKey[]): number {
  for (let depth = path.length; depth > 0; depth--) {
    const node = findNodeAtLocation(tree, path.slice(0, depth) as JSONPath);
    if (node) return (node.parent?.type === 'property' ? node.parent : node).offset;
  }
  return tree.offset;
}

/** "line:column", both from 1. */
function position(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/** What should have stood where the file cannot be read on. */
function expected(error: ParseErrorCode): string {
  const code = printParseErrorCode(error);
  return EXPECTED[code] ?? code.replace(/\B[A-Z]/g, (c) => ` ${c}`).toLowerCase();
}

const EXPECTED: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a name or text in double quotes is expected here, or a number, true, false, null, { or [',
  ValueExpected: 'a value is expected here: text in double quotes, a number, true, false, null, { or [',
  PropertyNameExpected: 'the name of a setting in double quotes is expected here',
  ColonExpected: 'a colon is expected here, between a setting and its value',
  CommaExpected: 'a comma is expected here, before the next setting',
  CloseBraceExpected: 'a } is expected here; the { that it belongs to is still open',
  CloseBracketExpected: 'a ] is expected here; the [ that it belongs to is still open',
  EndOfFileExpected: 'the end of the file is expected here, after the last }',
  InvalidNumberFormat: 'this is no number as JSON writes them, e.g. 30 or 0.5',
  InvalidCommentToken: 'this is no comment; expected is // … or /* … */',
  UnexpectedEndOfComment: 'a comment begins with /* and is not closed by */',
  UnexpectedEndOfString: 'text begins with a double quote and is not closed by one on the same line',
  InvalidUnicode: 'after \\u four hexadecimal digits are expected',
  InvalidEscapeCharacter: 'after \\ one of " \\ / b f n r t u is expected',
  InvalidCharacter: 'this character cannot stand in text as it is; write it as \\u and four hexadecimal digits',
};
