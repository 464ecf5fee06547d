export { commandLine } from './command-line.ts';
export { exposedText, PURGE_VALUE } from './exposed.ts';
export { safeLine, safeText, safeTitle } from './safe-text.ts';
export { shortHandoffs, shortIds } from './short-names.ts';
export { tableFor } from './table.ts';
export { ago, bytes, count } from './words.ts';
