import type { CommandArgument, Word, WordPart } from 'unbash';

/** What a script knows while it is read: variables whose value was written down, where it stands, how it treats failures. */
export interface Scope {
  variables: Map<string, string>;
  /** undefined: cannot be told */
  cwd: string | undefined;
  /** set -e: what follows a failure does not run */
  strict: boolean;
  /** set -o pipefail: a pipe fails with each of its commands */
  pipefail: boolean;
}

/** At most so many words of one brace expansion. */
const BRACES_MAX = 100;

/** The words that one word of a script becomes. What cannot be told without running stays as it was typed, `$` and all. */
export function expand(word: CommandArgument, scope: Scope): string[] {
  if (word.type === 'Assignment') return [word.text];
  const value = textOf(word, scope);
  const parts = word.parts ?? [];
  if (parts.length === 1 && isVariable(parts[0]) && value !== word.text) return value.split(/\s+/).filter(Boolean);
  return parts.some(({ type }) => type === 'BraceExpansion') ? braces(value) : [value];
}

/** The text of one word, quotes taken off and known variables filled in. */
export function textOf(word: Word, scope: Scope): string {
  return word.parts ? word.parts.map((part) => partOf(part, scope)).join('') : word.value;
}

const isVariable = (part: WordPart | undefined): boolean => part?.type === 'SimpleExpansion' || part?.type === 'ParameterExpansion';

function partOf(part: WordPart, scope: Scope): string {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'Glob':
      return part.value;
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.map((inner) => partOf(inner, scope)).join('');
    case 'SimpleExpansion':
      return variable(part.text.slice(1), part.text, scope);
    case 'ParameterExpansion':
      return part.operation || part.prefix || part.index ? part.text : variable(part.parameter, part.text, scope);
    case 'CommandExpansion':
      return printed(part.script?.commands[0]?.command, part.text, scope);
    default:
      return part.text;
  }
}

const variable = (name: string, text: string, { variables, cwd }: Scope): string => (name === 'PWD' ? cwd : undefined) ?? variables.get(name) ?? text;

type Node = NonNullable<Extract<WordPart, { type: 'CommandExpansion' }>['script']>['commands'][number]['command'] | undefined;

/** What `$(pwd)` and `$(cat <<EOF …)` print, the usual way to a commit message of several lines. */
function printed(node: Node, text: string, scope: Scope): string {
  if (node?.type !== 'Command') return text;
  if (node.name?.value === 'pwd') return scope.cwd ?? text;
  const document = node.redirects.find(({ type }) => type === 'HereDoc');
  return node.name?.value === 'cat' && document?.type === 'HereDoc' ? document.body.text.trimEnd() : text;
}

function braces(text: string): string[] {
  let words = [text];
  for (let pass = 0; pass < 3; pass++) {
    const next = words.flatMap((word) => {
      const [all, list] = /\{([^{}]*,[^{}]*)\}/.exec(word) ?? [];
      return all === undefined || list === undefined ? [word] : list.split(',').map((choice) => word.replace(all, () => choice));
    });
    if (next.length === words.length || next.length > BRACES_MAX) break;
    words = next;
  }
  return words;
}
