import { withoutUserinfo } from '#git/url.ts';
import type { Remote } from '#store/types.ts';

/** Every address that git sends to for a remote. */
export const addressesOf = ({ url, pushUrls }: Remote): readonly string[] => pushUrls ?? [url];

/** Where sessions go, for people: without user names and passwords. */
export const sentTo = (remote: Remote): string => addressesOf(remote).map(withoutUserinfo).join(' and ');

/** The same, and where they are fetched from, if that is elsewhere. */
export const sentToAndFrom = (remote: Remote): string => `${sentTo(remote)}${remote.pushUrls ? ` (fetched from ${withoutUserinfo(remote.url)})` : ''}`;
