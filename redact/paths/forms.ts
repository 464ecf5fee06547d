/** How a path may be written: as it is, with `\/` for `/`, percent-encoded, as one folder name, for JSON, with `/` for `\`. */
export type Form = '' | 'esc' | 'uri' | 'dash' | 'json' | 'fwd';

export interface Spelling {
  /** what is looked for */
  text: string;
  /** what is put there, e.g. `${HOME}` or `${PROJECT:real:dash}` */
  token: string;
  /** what is put there after `file://` */
  uriToken: string;
  form: Form;
  /** only where a path can start: for homes so short that they could be part of anything */
  strict: boolean;
}

/** Claude Code's rule for the folder of a project: every UTF-16 unit outside [A-Za-z0-9] becomes `-`. */
const dashed = (path: string): string => path.replace(/[^A-Za-z0-9]/g, '-');
const isWindows = (path: string): boolean => /^(?:[A-Za-z]:\\|\\\\)/.test(path);
const inJson = (path: string): string => JSON.stringify(path).slice(1, -1);

function uri(path: string): string | undefined {
  try {
    const slashes = isWindows(path) ? `/${path.replaceAll('\\', '/')}` : path;
    return encodeURI(slashes).replace(/[?#]/g, encodeURIComponent);
  } catch {
    // a lone surrogate has no form in a URL
    return undefined;
  }
}

/** A path in one of the forms; undefined where it has none. `esc` is what follows a first `\/`. */
export function spell(path: string, form: Form): string | undefined {
  if (form === '') return path;
  if (form === 'json') return inJson(path);
  if (form === 'uri') return uri(path);
  if (form === 'dash') return dashed(path);
  if (form === 'fwd') return path.replaceAll('\\', '/');
  return path.replace(/^\//, '').replaceAll('/', '\\/');
}

/** Does the path need escapes inside JSON? */
export const needsEscapes = (path: string): boolean => inJson(path) !== path;

/** Homes of which no more than a short word would be left to tell them by. */
const isShort = (path: string): boolean => path.length < 4 || path === '/root';

/** The forms in which a path is looked for. Empty for `/`, which begins every path. */
export function spellings(path: string, token: (form: Form) => string): Spelling[] {
  if (path.replace(/[/\\]/g, '') === '') return [];
  const strict = isShort(path);
  // The plain form stands first: where the percent-encoded one looks the same, it is looked for once.
  const forms: Form[] = ['', 'uri'];
  if (!strict) forms.push('dash');
  if (path.startsWith('/') && path.indexOf('/', 1) > 0) forms.push('esc');
  if (needsEscapes(path)) forms.push('json');
  if (isWindows(path)) forms.push('fwd');
  const out: Spelling[] = [];
  for (const form of forms) {
    const lead = form === 'esc' ? '\\/' : '';
    const spelled = spell(path, form);
    if (!spelled || out.some((one) => one.text === lead + spelled)) continue;
    const sameInUri = form === '' && spell(path, 'uri') === path;
    out.push({ text: lead + spelled, token: lead + token(form), uriToken: sameInUri ? token('uri') : lead + token(form), form, strict });
  }
  return out;
}
