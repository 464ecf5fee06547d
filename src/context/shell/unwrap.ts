/** Commands that only run another one: how many of their own words stand before it, options and their values aside. */
const WRAPPERS: Record<string, { values: RegExp; own?: number }> = {
  sudo: { values: /^-[ugCDhpRTU]$/ },
  doas: { values: /^-[uC]$/ },
  env: { values: /^-[uCS]$/ },
  time: { values: /^-[fo]$/ },
  nohup: { values: /^$/ },
  nice: { values: /^-n$/ },
  ionice: { values: /^-[cnp]$/ },
  timeout: { values: /^-[ks]$/, own: 1 },
  gtimeout: { values: /^-[ks]$/, own: 1 },
  stdbuf: { values: /^-[ioe]$/ },
  command: { values: /^$/ },
  builtin: { values: /^$/ },
  exec: { values: /^-a$/ },
  'xvfb-run': { values: /^-[nspefw]$/ },
  caffeinate: { values: /^-[tw]$/ },
};

const SHELLS = /^(?:.*\/)?(?:ba|z|da|k)?sh$/;

/** The command that is run in the end: without sudo, env, time and the like, and without assignments before it. */
export function unwrap(words: readonly string[]): string[] {
  let rest = [...words];
  for (;;) {
    const wrapper = Object.hasOwn(WRAPPERS, rest[0] ?? '') ? WRAPPERS[rest[0] as string] : undefined;
    if (wrapper) rest = rest.slice(lengthOf(rest, wrapper));
    else if (/^[A-Za-z_]\w*=/.test(rest[0] ?? '')) rest = rest.slice(1);
    else return rest;
  }
}

function lengthOf(words: readonly string[], { values, own = 0 }: { values: RegExp; own?: number }): number {
  let at = 1;
  while (words[at]?.startsWith('-')) {
    if (words[at] === '--') return at + 1 + own;
    at += values.test(words[at] as string) ? 2 : 1;
  }
  return at + own;
}

/** The script that a shell is given with -c. */
export function scriptOf(words: readonly string[]): string | undefined {
  if (!SHELLS.test(words[0] ?? '')) return undefined;
  const at = words.findIndex((word) => /^-[a-z]*c$/.test(word));
  return at < 0 ? undefined : words[at + 1];
}
