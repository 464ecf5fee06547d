/**
 * Where no settings say anything else, a session is handed on when its context is so full, in percent of the window (watch.at). Apart from the schema,
 * because whoever only needs this must not wait until that is loaded.
 */
export const WATCH_AT = 80;
