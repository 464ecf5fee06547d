import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { findNodeAtLocation, getNodeValue, type JSONPath, type Node, type ParseError, type ParseErrorCode, parseTree, printParseErrorCode } from 'jsonc-parser';
import { RelayError } from '#lib/errors.ts';
import { giveBack } from '#lib/give-back.ts';
import { atPointer, isObject, type Json } from '#lib/json.ts';
import { readRegularText } from '#lib/regular.ts';
import { errorOf, meant, nameOf, type Problem, schemaProblems } from './problems.ts';
import { ofClone, type SettingsLayer } from './schema.ts';

/** Longer text than this is no settings file. In UTF-16 units. */
const LARGEST = 1024 * 1024;

const MEND = 'Mend it, or rename the file to go on without it.';
/** What to do about a file that cannot be read as settings. Its text is not shown: a URL may hold a password. */
const FORM = `${MEND} Settings are JSON with comments, e.g. {"pull": {"days": 30}}.`;

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
    if (error instanceof RelayError) throw new RelayError('config', `${path} is no regular file.`);
    const { code, message } = error as NodeJS.ErrnoException;
    throw new RelayError('config', `${path} cannot be read: ${message}.`, code === 'EACCES' ? giveBack(await refusing(path)) : undefined);
  }
  if (text.length > LARGEST) throw new RelayError('config', `${path} is larger than settings are (${LARGEST / 1024 / 1024} MB).`);
  return parseSettings(text, path, checks);
}

/** What does not let a file be read: its folder, or itself. */
const refusing = (path: string): Promise<string> =>
  lstat(path).then(
    () => path,
    () => dirname(path),
  );

/** Parses and checks the text of a settings file. Errors name file, line and column, and for an unknown key the nearest known one. */
export function parseSettings(text: string, path: string, checks?: LayerChecks): SettingsLayer {
  const errors: ParseError[] = [];
  const tree = treeOf(text.replace(/^\ufeff/, ' '), path, errors);
  const [bad] = errors;
  if (bad) {
    const at = position(text, bad.offset);
    const [line, column] = at.split(':');
    throw new RelayError('config', `${path}:${at}: ${expected(bad.error)}.`, `It is in line ${line}, at column ${column}. ${FORM}`);
  }
  if (!tree) return {};
  return checkLayer(getNodeValue(tree), (at) => `${path}:${position(text, nodeOffset(tree, at))}`, checks, MEND);
}

function treeOf(text: string, path: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true });
  } catch (error) {
    if (error instanceof RangeError) throw new RelayError('config', `${path} is nested too deeply to be read.`, FORM);
    throw error;
  }
}

/** Checks one layer against the schema and beyond it. `where` says where a path of it stands, for errors, which name all that is wrong; `mend` what to do then. */
export function checkLayer(value: unknown, where: Where, checks: LayerChecks = {}, mend?: string): SettingsLayer {
  const malformed = schemaProblems(value);
  // Of what has the right form the rest is looked at all the same, so that nobody has to try once for each mistake.
  const isWell = (...path: PropertyKey[]) => !malformed.some((one) => path.every((step, i) => one.path[i] === step || i >= one.path.length));
  const layer = (isObject(value as Json) ? value : {}) as SettingsLayer;
  const problems = [...malformed, ...agentProblems(layer, checks, isWell), ...placeProblems(layer, checks), ...redactionProblems(layer, checks, isWell)];
  if (problems.length) throw errorOf(problems, where, mend);
  return layer;
}

type IsWell = (...path: PropertyKey[]) => boolean;

function agentProblems(layer: SettingsLayer, { agents }: LayerChecks, isWell: IsWell): Problem[] {
  if (!agents) return [];
  const named = isWell('agents') ? Object.keys(layer.agents ?? {}).map((name) => ({ name, path: ['agents', name] })) : [];
  const standby = isWell('watch') && layer.watch?.standby;
  if (standby) named.push({ name: standby, path: ['watch', 'standby'] });
  const unknown = named.filter(({ name }) => !agents.includes(name));
  return unknown.map(({ name, path }) => ({ path, what: `relay knows no agent "${name}"`, hint: meant(name, agents) }));
}

function placeProblems(layer: SettingsLayer, { file }: LayerChecks): Problem[] {
  if (file === undefined || file === 'clone') return [];
  return ofClone
    .map((key) => ({ key, path: key.split('.') }))
    .filter(({ path }) => atPointer(layer as Json, `/${path.join('/')}`) !== undefined)
    .map(({ key, path }) => ({
      path,
      what: `${key} means something in one clone only: another clone has other fingerprints for the same values`,
      hint: 'It belongs into <git common dir>/relay/config.jsonc; relay redact --allow <fingerprint> puts it there.',
    }));
}

function redactionProblems(layer: SettingsLayer, { faultInRule, faultInAllowed }: LayerChecks, isWell: IsWell): Problem[] {
  const items = <T>(list: 'rules' | 'allow.patterns', fault: ((item: T) => string | undefined) | undefined): Problem[] => {
    const path = ['redact', ...list.split('.')];
    const values = atPointer(layer as Json, `/${path.join('/')}`);
    if (!fault || !Array.isArray(values)) return [];
    return values.flatMap((item, i) => {
      const what = isWell(...path, i) ? fault(item as T) : undefined;
      return what ? [{ path: [...path, i], what: `${nameOf([...path, i], layer)}: ${what}` }] : [];
    });
  };
  return [...items<Rule>('rules', faultInRule), ...items<string>('allow.patterns', faultInAllowed)];
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
