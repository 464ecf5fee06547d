export { accept, guard, onlyLoosens, showValue, type Unaccepted } from './accept.ts';
export { withFingerprint } from './edit.ts';
export { parseSettings } from './file.ts';
export { type Loaded, type LoadInput, loadSettings } from './load.ts';
export { acceptable, personal, type Settings, type SettingsLayer } from './schema.ts';
