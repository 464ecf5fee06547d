/**
 * The shortest beginning of each name that no other name has, at least so many characters long.
 * @param among all names that a beginning could be taken for
 */
export function shortNames(names: readonly string[], least: (name: string) => number, among: readonly string[] = names): string[] {
  const sorted = [...new Set([...names, ...among])].sort();
  const place = new Map(sorted.map((name, i) => [name, i]));
  return names.map((name) => {
    const at = place.get(name) ?? 0;
    const length = Math.max(least(name), 1 + shared(name, sorted[at - 1]), 1 + shared(name, sorted[at + 1]));
    return name.slice(0, name[length - 1] === '-' ? length + 1 : length);
  });
}

/** How many characters two names have in common at their beginning. */
function shared(a: string, b: string | undefined): number {
  let n = 0;
  while (b !== undefined && n < a.length && a[n] === b[n]) n++;
  return n;
}

/** So many characters of an id are shown at least. */
const ID = 8;

/** Short ids of sessions. */
export const shortIds = (ids: readonly string[], among?: readonly string[]): string[] => shortNames(ids, () => ID, among);

/** Short names of handoffs: writer, agent and the beginning of the native id. */
export function shortHandoffs(cards: readonly { handoff: string; agent: string }[], among: readonly { handoff: string }[] = cards): string[] {
  const agents = new Map(cards.map(({ handoff, agent }) => [handoff, agent]));
  return shortNames(
    cards.map((card) => card.handoff),
    (handoff) => handoff.indexOf('/') + 1 + (agents.get(handoff)?.length ?? 0) + 1 + ID,
    among.map((card) => card.handoff),
  );
}
