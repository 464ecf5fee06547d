import { accept, parseSettings, personal, withFingerprint } from '#config/index.ts';
import { RelayError } from '#lib/errors.ts';
import { nearest } from '#lib/nearest.ts';
import { readRegularText } from '#lib/regular.ts';
import { kindList } from '#redact/index.ts';
import { writeWhole } from '#store/files.ts';
import { acceptedPlace, ownSettings, unheeded } from './accepted.ts';
import { needRepository, type Workspace } from './workspace.ts';

const PLACEHOLDER = /^\[REDACTED:(.+)\]$/;
const FINGERPRINT = /^[a-z0-9]{1,12}:[0-9a-f]{8}$/;

/**
 * Says that a value is no secret in this clone, by its fingerprint: writes it into the clone's own settings, comments kept, and accepts the list that it makes there.
 * @param given `gh:1a2b3c4d`, or the placeholder as it stands in a text
 * @returns the file, and whether it was changed
 */
export async function allowFingerprint(ws: Workspace, given: string): Promise<{ fingerprint: string; path: string; added: boolean }> {
  const fingerprint = PLACEHOLDER.exec(given)?.[1] ?? given;
  if (!FINGERPRINT.test(fingerprint))
    throw new RelayError(
      'usage',
      'That is no fingerprint. Expected is <kind>:<8 hex digits>, e.g. gh:1a2b3c4d.',
      'relay redact --check <file> and relay push --dry-run show them.',
    );
  needKind(ws, fingerprint.slice(0, fingerprint.indexOf(':')));
  needRepository(ws);
  // To accept the list with one more would accept what somebody else has put there.
  const [waiting] = unheeded(ws, /^redact\.allow\.fingerprints$/);
  if (waiting) throw new RelayError('unaccepted', waiting, 'Accept what is there, or take it out; then run the command again.');
  const path = ownSettings(ws);
  const text = await readRegularText(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const made = withFingerprint(text, fingerprint);
  if (made === text) return { fingerprint, path, added: false };
  const value = parseSettings(made, path).redact?.allow?.fingerprints ?? [];
  await writeWhole(path, made);
  await accept(acceptedPlace(ws), { file: 'clone', key: 'redact.allow.fingerprints', value });
  return { fingerprint, path, added: true };
}

/** Also those that the settings do not ask for at present. */
function needKind({ settings }: Workspace, kind: string): void {
  const kinds = kindList({ rules: settings.redact.rules, pii: personal, paranoid: true });
  if (kinds.some(({ id }) => id === kind)) return;
  const ids = kinds.map(({ id }) => id);
  // What people call it: github for gh.
  const near = kinds.find(({ name }) => name.toLowerCase().split(' ')[0] === kind)?.id ?? nearest(kind, ids);
  throw new RelayError(
    'usage',
    `There is no kind of secret "${kind}".${near ? ` Did you mean ${near}?` : ''}`,
    'relay redact --kinds lists them all; relay redact --check <file> shows fingerprints.',
  );
}
