import { isJsonContainer, mapLiterals } from '../json/literals.ts';
import { alternative, tokenPattern } from './encode.ts';
import { type Form, spell } from './forms.ts';
import type { Root } from './map.ts';

const FORMS: readonly string[] = ['esc', 'uri', 'dash', 'json', 'fwd'];

interface Token {
  path: string;
  form: Form;
}

/** What a token means here; undefined: nothing, it stays. A name of the folder that this machine has not is its first name. */
function meaning(roots: readonly Root[], name: string, parts: string): Token | undefined {
  const root = roots.find((one) => one.token === name && one.paths.length);
  if (!root) return undefined;
  const words = parts.split(':').slice(1);
  const form = words.length && FORMS.includes(words[words.length - 1] as string) ? (words.pop() as Form) : '';
  const index = words.length ? root.paths.findIndex((_, i) => alternative(i) === `:${words[0]}`) : 0;
  return { path: root.paths[Math.max(0, index)] as string, form };
}

export function pathDecoder(roots: readonly Root[], names: readonly string[]): { decode(text: string): string; decodeDeep(text: string): string } {
  const pattern = new RegExp(`(\\$+)${tokenPattern(names)}`, 'g');
  const meanings = new Map<string, Token | undefined>();
  const means = (name: string, parts: string): Token | undefined => {
    const id = name + parts;
    if (!meanings.has(id)) meanings.set(id, meaning(roots, name, parts));
    return meanings.get(id);
  };

  const replace = (text: string, depthOf: (n: number) => number): string => {
    let count = 0;
    return text.replace(pattern, (match: string, dollars: string, name: string, parts: string, at: number) => {
      const depth = depthOf(count++);
      if (dollars.length > 1) return match.slice(1);
      const token = means(name, parts);
      if (!token) return match;
      return written(token, text, at, depth);
    });
  };
  /** How deep in JSON inside JSON each token of a text stands. */
  const depths = (text: string, depth: number, out: number[]): void => {
    if (isJsonContainer(text)) {
      const below = (value: string): string => {
        if (value.includes('${')) depths(value, depth + 1, out);
        return value;
      };
      mapLiterals(text, { string: below, key: below, scalar: () => undefined });
    } else for (const _ of text.matchAll(pattern)) out.push(depth);
  };

  return {
    decode: (text) => replace(text, () => 0),
    decodeDeep(text) {
      const found: number[] = [];
      depths(text, 0, found);
      const aligned = found.length === [...text.matchAll(pattern)].length;
      return replace(text, (n) => (aligned ? (found[n] as number) : 0));
    },
  };
}

function written({ path, form }: Token, text: string, at: number, depth: number): string {
  let out = spell(path, form) ?? path;
  if (form === 'esc') {
    // The token stands after the path's first slash, which is `\/` or, once JSON was parsed, `/`.
    const slash = text.charCodeAt(at - 1) === 47;
    if (!slash) out = path;
    else if (text.charCodeAt(at - 2) !== 92) out = path.replace(/^\//, '');
    return out;
  }
  for (let i = 0; i < depth; i++) out = JSON.stringify(out).slice(1, -1);
  return out;
}
