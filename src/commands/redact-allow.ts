import { allowFingerprint } from '#flows/allow.ts';
import { workspace } from '#flows/context.ts';
import { type Io, printJson } from '#io/io.ts';

/** relay redact --allow <fingerprint> */
export async function allow(io: Io, given: string, options: { json?: boolean }): Promise<number> {
  const { fingerprint, path, added } = await allowFingerprint(await workspace(io), given);
  if (options.json) printJson(io, { allowed: fingerprint, added });
  // Which values have it cannot be told, so nothing is said of them.
  else if (added) io.stdout.write(`What has the fingerprint ${fingerprint} is let through in this clone from now on: ${path}\n`);
  else io.stdout.write(`${fingerprint} is allowed in this clone already: ${path}\n`);
  return 0;
}
