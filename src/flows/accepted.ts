import { join } from 'node:path';
import { type AcceptedPlace, decliningWords, guard, type Stopped, type Unaccepted } from '#config/index.ts';
import { stateOf } from '#store/homes.ts';
import { needRepository, type Workspace } from './workspace.ts';

type Place = Pick<Workspace, 'unaccepted' | 'repository'>;

/** This clone's own settings. A no to .relayrc counts there at once; what has to be accepted in .relayrc has to be here, too. */
export const ownSettings = ({ repository }: Pick<Place, 'repository'>): string => join(repository?.commonDir ?? '.git', 'relay', 'config.jsonc');

/** The file that asks for it, for people. */
export const fileAsking = (ws: Place, { file }: Pick<Unaccepted, 'file'>): string => (file === 'clone' ? ownSettings(ws) : '.relayrc');

/** Where it is remembered what this clone has accepted. */
export const acceptedPlace = (ws: Pick<Workspace, 'cwd' | 'repository' | 'env' | 'home'>): AcceptedPlace => ({
  commonDir: needRepository(ws).commonDir,
  state: stateOf(ws),
});

/** Stops what such a file would steer as long as this clone has said neither yes nor no to it: RelayError `unaccepted`. @param what is about to be done */
export const needAccepted = (ws: Place, ...what: Stopped[]): void => guard(ws.unaccepted, what, ownSettings(ws));

/** How this clone says no to what it has not accepted, in words; "" where that makes no difference, since what would only loosen the redaction has no effect anyway. */
export function decliningOf(ws: Place, some: readonly Unaccepted[] = ws.unaccepted): string {
  const steering = some.filter(({ key }) => !LOOSENING.test(key));
  return steering.length ? decliningWords(steering, ownSettings(ws)) : '';
}

/** Settings that let more through the redaction. */
export const LOOSENING = /^redact\./;

/** What is asked for with one of some settings and this clone has not accepted, where nothing stops for it: it has no effect, and the user gets to know. */
export const unheeded = (ws: Place, some: RegExp): string[] =>
  ws.unaccepted
    .filter(({ key }) => some.test(key))
    .map((one) => {
      const whose = one.file === 'clone' ? fileAsking(ws, one) : "the repository's .relayrc";
      return `${one.key} of ${whose} has no effect: this clone has not accepted it (relay init --accept ${one.key}).`;
    });
