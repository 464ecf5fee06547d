export { accept, guard, onlyLoosens, showValue, type Unaccepted } from './accept.ts';
export { type Loaded, type LoadInput, loadSettings } from './load.ts';
export { acceptable, type Settings, type SettingsLayer } from './schema.ts';
