/**
 * A remote's address without user name, password and query, for people and for files. A path on this machine stays as it is.
 * `git@host:path` loses its user too: whoever reads it knows the remote by host and path.
 */
export function withoutUserinfo(url: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)([^?#]*)/i.exec(url);
  if (scheme) return `${scheme[1]}${(scheme[2] ?? '').replace(/^.*@/, '')}${scheme[3]}`;
  return url.replace(/^[^/:@\\]+@(?=[^/:]+:)/, '');
}

/** Text that git printed, without the user names and passwords of the addresses in it. */
export const hideUserinfo = (text: string): string => text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/@'"]*@/gi, '$1');

/** The folder of a remote that is a path on this machine; undefined for one at a host. To git, `host:path` is a host unless a slash stands before the colon. */
export function localFolder(url: string): string | undefined {
  const file = /^file:\/\/(\/.*)$/i.exec(url)?.[1];
  if (file !== undefined) return file;
  return /^[^/]*:/.test(url) ? undefined : url;
}
