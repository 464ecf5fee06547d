export { type AcceptedPlace, accept, acceptedFile, countingFor, decliningWords, guard, showValue, type Unaccepted } from './accept.ts';
export { withFingerprint } from './edit.ts';
export { parseSettings } from './file.ts';
export { acceptable, type Stopped } from './guarded.ts';
export { type Loaded, type LoadInput, loadSettings } from './load.ts';
export { personal, type Settings, type SettingsLayer } from './schema.ts';
