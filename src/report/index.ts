export { commandLine } from './command-line.ts';
export { safeLine, safeText } from './safe-text.ts';
export { table } from './table.ts';
export { ago, bytes, count } from './words.ts';
