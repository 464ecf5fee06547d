import { join } from 'node:path';
import { decliningWords, guard, type Stopped, type Unaccepted } from '#config/index.ts';
import type { Workspace } from './workspace.ts';

type Place = Pick<Workspace, 'unaccepted' | 'repository'>;

/** This clone's own settings: what they say counts at once, a no to .relayrc as well. */
export const ownSettings = ({ repository }: Pick<Place, 'repository'>): string => join(repository?.commonDir ?? '.git', 'relay', 'config.jsonc');

/** Stops what the repository's .relayrc would steer as long as this clone has said neither yes nor no to it: RelayError `unaccepted`. @param what is about to be done */
export const needAccepted = (ws: Place, ...what: Stopped[]): void => guard(ws.unaccepted, what, ownSettings(ws));

/** How this clone says no to what it has not accepted, in words; "" where that makes no difference, since what would only loosen the redaction has no effect anyway. */
export function decliningOf(ws: Place, some: readonly Unaccepted[] = ws.unaccepted): string {
  const steering = some.filter(({ key }) => !LOOSENING.test(key));
  return steering.length ? decliningWords(steering, ownSettings(ws)) : '';
}

/** Settings that let more through the redaction. */
export const LOOSENING = /^redact\./;

/** What .relayrc asks for with one of some settings and this clone has not accepted, where nothing stops for it: it has no effect, and the user gets to know. */
export const unheeded = ({ unaccepted }: Pick<Place, 'unaccepted'>, some: RegExp): string[] =>
  unaccepted
    .filter(({ key }) => some.test(key))
    .map(({ key }) => `${key} of the repository's .relayrc has no effect: this clone has not accepted it (relay init --accept ${key}).`);
