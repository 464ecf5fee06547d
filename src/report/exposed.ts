import { safeText } from '#lib/safe-text.ts';

/** A sent version, what is secret in it (`<kind>:<fingerprint>`), and the command that takes that version out of the history. */
interface Exposed {
  values: readonly string[];
  purge: string;
}

/** So many versions are told one by one. */
const SHOWN = 10;

/** Takes a value out of every version of every handoff. A version that is purged by its number leaves it in the others. */
export const PURGE_VALUE = 'relay purge --match -';

/** For people; "" where nothing was sent that must not have been. */
export function exposedText(versions: readonly Exposed[]): string {
  if (!versions.length) return '';
  const lines = [
    `warning: ${versions.length === 1 ? 'a version that was sent holds' : `${versions.length} versions that were sent hold`} what is known to be secret now.`,
    '  Rotate it first: whoever can read the remote may have it. Then take it out of all of the history, piped in:',
    `    ${PURGE_VALUE}`,
    '  or only single versions, which leaves it wherever else it stands:',
    ...versions.slice(0, SHOWN).map(({ values, purge }) => safeText(`    ${purge}    ${values.join(', ')}`)),
  ];
  if (versions.length > SHOWN) lines.push(`    and ${versions.length - SHOWN} more (--json names all)`);
  return `${lines.join('\n')}\n`;
}
