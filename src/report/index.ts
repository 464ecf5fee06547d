export { commandLine } from '#lib/command-line.ts';
export { safeLine, safeText, safeTitle } from '#lib/safe-text.ts';
export { exposedText, PURGE_VALUE } from './exposed.ts';
export { shortHandoffs, shortIds } from './short-names.ts';
export { tableFor } from './table.ts';
export { ago, bytes, count } from './words.ts';
