/** Works something out once for the same arguments, as long as anybody holds them: several parts of a brief need it. What it answers is shared, so nobody changes it. */
export function once<A extends object[], T>(make: (...of: A) => T): (...of: A) => T {
  const known = new WeakMap<object, unknown>();
  return (...of) => {
    let at = known;
    for (const key of of.slice(0, -1)) {
      const next = (at.get(key) as WeakMap<object, unknown> | undefined) ?? new WeakMap<object, unknown>();
      at.set(key, next);
      at = next;
    }
    const last = of.at(-1) as object;
    if (!at.has(last)) at.set(last, make(...of));
    return at.get(last) as T;
  };
}
