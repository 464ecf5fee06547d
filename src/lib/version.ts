/** Put in by the build; when the sources run directly there is none. */
declare const RELAY_VERSION: string | undefined;

/** This relay's version, as in package.json. */
export const version: string = typeof RELAY_VERSION === 'string' ? RELAY_VERSION : '0.0.0-source';
