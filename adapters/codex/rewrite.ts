/** Changes ids and the working directory in the text of a line, whatever it is part of. */
export type Rewrite = (text: string) => string;

/**
 * @param ids old id to new id. UUIDs read the same in JSON, however deeply nested
 * @param cwd replaced where it stands as whole path components, in all the forms that a rollout holds it in
 */
export function rewriter(ids: ReadonlyMap<string, string>, cwd?: { from: string; to: string }): Rewrite {
  const swaps = [...ids].filter(([from, to]) => from !== '' && from !== to);
  const paths = cwd ? pathForms(cwd.from, cwd.to) : [];
  return (text) => {
    let out = text;
    for (const [from, to] of swaps) if (out.includes(from)) out = out.replaceAll(from, to);
    for (const { from, to } of paths) if (out.includes(from)) out = replacePath(out, from, to);
    return out;
  };
}

const json = (text: string): string => JSON.stringify(text).slice(1, -1);
const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A path as it stands in a JSON string, in JSON within JSON, in an XML tag, in a file URL. */
function pathForms(from: string, to: string): { from: string; to: string }[] {
  const forms: ((path: string) => string)[] = [json, (p) => json(json(p)), (p) => json(json(json(p))), (p) => json(xml(p)), (p) => encodeURI(p)];
  const found = new Map<string, string>();
  if (/^(?:\/|[A-Za-z]:[\\/])?$/.test(from) || from === to) return [];
  for (const form of forms) if (!found.has(form(from))) found.set(form(from), form(to));
  return [...found].map(([a, b]) => ({ from: a, to: b })).sort((a, b) => b.from.length - a.from.length);
}

function replacePath(text: string, from: string, to: string): string {
  let out = '';
  let done = 0;
  for (let at = text.indexOf(from); at >= 0; at = text.indexOf(from, at + from.length)) {
    if (!startsPath(text, at) || !endsComponent(text, at + from.length)) continue;
    out += text.slice(done, at) + to;
    done = at + from.length;
  }
  return done ? out + text.slice(done) : text;
}

const COMPONENT = /[\p{L}\p{N}_\-~+@%]/u;
/** What mostly stands around a path; asked first, for speed. */
const AROUND = '"/\\ \n:,;=()[]{}<>\'`';

/** No path may go on to the left: `/mnt/home/a` does not hold `/home/a`. */
function startsPath(text: string, at: number): boolean {
  const before = text[at - 1] ?? '';
  if (before === '"' || before === ' ') return true;
  if (before === '/' || before === '\\') return text.slice(Math.max(0, at - 3), at) === '://';
  // A letter may be the end of an escape: "\n/home/a".
  if ('nrtbf'.includes(before) && before && text[at - 2] === '\\') return true;
  return before !== '.' && !COMPONENT.test(before);
}

/** `/home/a` is not part of `/home/ab` or `/home/a.old`, but of `/home/a/b` and of "in /home/a." */
function endsComponent(text: string, end: number): boolean {
  const after = text[end] ?? '';
  if (AROUND.includes(after)) return true;
  if (after === '.') return !COMPONENT.test(text[end + 1] ?? '') && text[end + 1] !== '.';
  return !COMPONENT.test(after);
}
