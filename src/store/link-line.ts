import { asArray, asObject, asString, type Json, type JsonObject, parseJson } from '#lib/json.ts';

/**
 * How a session came to a commit: `variable`, it made it, as its client's variable said; `files`, somebody else committed what it had written;
 * `rewrite`, git made it anew out of such a one.
 */
export type LinkHow = 'variable' | 'files' | 'rewrite';

/** A file that a commit introduced: its path and blob; null for one that it took away; no blob where it must not be known by its hash. */
export type LinkPair = [path: string, blob?: string | null];

/** What is known of a commit that a session had a part in. All of it is redacted: it leaves with the index. */
export interface Link {
  commit: string;
  /** absent, as all that follows but `pairs` and `how`: the commit was gone when it was recorded */
  tree?: string;
  /** its first parent */
  parent?: string;
  /** `git patch-id --stable`; absent for merges, huge changes, and where a file of it must not be known by its hash */
  patchId?: string;
  /** what its branch had changed up to it since `base`, where that is more: what a squash of the branch changes */
  branch?: { base: string; patchId: string };
  subject?: string;
  /** as git writes it, ISO 8601 with its zone */
  authorDate?: string;
  /** by path, the first of them: see `more` */
  pairs: LinkPair[];
  /** how many more there were */
  more?: number;
  how: LinkHow;
  /** its client ran another one that made the commit */
  role?: 'outer';
  /** the commits that this one was made of */
  from?: string[];
  /** number of the session's newest version when it was recorded; absent: there was none yet */
  version?: number;
}

const HOWS: ReadonlySet<string> = new Set<LinkHow>(['variable', 'files', 'rewrite']);
/** Longer lines are not relay's. In UTF-16 units. */
const LONGEST = 262_144;

/** The commit that a line is about: every line begins with it, so that only those that are asked for have to be parsed. */
export const commitOf = (line: string): string => /^\{"commit":"([0-9a-f]+)"/.exec(line)?.[1] ?? '';

export const linkLine = ({ commit, ...rest }: Link): string => JSON.stringify({ commit, ...rest });

const id = (value: Json | undefined): string | undefined => (typeof value === 'string' && /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(value) ? value : undefined);
const count = (value: Json | undefined): number | undefined => (typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined);

function pairOf(value: Json): LinkPair | undefined {
  const [path, blob] = asArray(value);
  if (typeof path !== 'string') return undefined;
  if (blob === null) return [path, null];
  return id(blob) ? [path, id(blob) as string] : [path];
}

function branchOf(value: JsonObject | undefined): Link['branch'] {
  const [base, patchId] = [id(value?.base), id(value?.patchId)];
  return base && patchId ? { base, patchId } : undefined;
}

/** Reads a link; it may come from anybody who can push. Undefined where it is none. */
export function readLink(line: string): Link | undefined {
  const value = line.length <= LONGEST ? asObject(parseJson(line)) : undefined;
  const commit = id(value?.commit);
  const how = asString(value?.how);
  if (!value || !commit || !how || !HOWS.has(how)) return undefined;
  const from = asArray(value.from).flatMap((one) => id(one) ?? []);
  const given = {
    tree: id(value.tree),
    parent: id(value.parent),
    patchId: id(value.patchId),
    branch: branchOf(asObject(value.branch)),
    subject: asString(value.subject),
    authorDate: asString(value.authorDate),
    pairs: asArray(value.pairs).flatMap((one) => {
      const pair = pairOf(one);
      return pair ? [pair] : [];
    }),
    more: count(value.more),
    how,
    role: value.role === 'outer' ? value.role : undefined,
    from: from.length ? from : undefined,
    version: count(value.version),
  };
  return { commit, ...(Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined)) as Omit<Link, 'commit'>) };
}
