import { patchIds } from '#git/patch-id.ts';
import { type GitPlace, tryGit } from '#git/run.ts';
import { type BranchFacts, type CommitFacts, changesOf, isSmall, replacedIn, sizesOf, toChange } from './commit-facts.ts';

/** Branches that others start from and go back to, as a remote has them or, without any, as they are here. */
const MAIN = /^refs\/(?:remotes\/[^/]+\/(?:HEAD|main|master|develop|trunk)|heads\/(?:main|master|develop|trunk))$/;
/** More tips at once come from no one's work: a fetch, an import. */
const TIPS_MAX = 20;

/**
 * The same commits, the last of each branch with what its branch has changed so far. Where the base moves on before a forge squashes it, files have
 * contents that no commit of the branch had; its patch stays the same.
 */
export async function withBranches(place: GitPlace, facts: ReadonlyMap<string, CommitFacts>): Promise<Map<string, CommitFacts>> {
  const all = new Map(facts);
  const parents = new Set([...facts.values()].flatMap(({ parents }) => parents));
  const tips = [...facts.values()].filter(({ commit, changes }) => changes && !parents.has(commit));
  if (!tips.length || tips.length > TIPS_MAX) return all;
  const main = await mainBranches(place);
  const bases = new Map<string, string>();
  for (const { commit, parents } of tips) {
    const base = main.length ? (await tryGit(place, ['merge-base', commit, ...main])).stdout.toString('utf8').trim() : '';
    if (base && base !== commit && base !== parents[0]) bases.set(commit, base);
  }
  const pairs = [...bases].map(([commit, base]) => `${commit} ${base}`);
  const raw = await changesOf(place, pairs);
  const sizes = await sizesOf(place, raw);
  const patches = await patchIds(
    place,
    pairs.filter((pair) => isSmall(raw.get(pair.slice(0, pair.indexOf(' '))) ?? [], sizes)),
  );
  for (const [commit, base] of bases) {
    const [one, patchId] = [all.get(commit) as CommitFacts, patches.get(commit)];
    const changed = raw.get(commit) ?? [];
    const branch: BranchFacts | undefined = patchId ? { base, patchId, changes: changed.map(toChange), replaced: replacedIn(changed) } : undefined;
    if (branch) all.set(commit, { ...one, branch, sizes: new Map([...one.sizes, ...sizes]) });
  }
  return all;
}

async function mainBranches(place: GitPlace): Promise<string[]> {
  const { stdout } = await tryGit(place, ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/remotes', 'refs/heads']);
  const refs = stdout
    .toString('utf8')
    .split('\n')
    .map((line) => ({ id: line.slice(0, line.indexOf(' ')), ref: line.slice(line.indexOf(' ') + 1) }))
    .filter(({ ref }) => MAIN.test(ref));
  const there = refs.filter(({ ref }) => ref.startsWith('refs/remotes/'));
  return [...new Set((there.length ? there : refs).map(({ id }) => id))];
}
