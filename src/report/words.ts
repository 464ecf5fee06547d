const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A size as people say it, in decimal units: 999 B, 1.2 kB, 58 MB. */
export function byteSize(bytes: number): string {
  let unit = 0;
  let value = bytes;
  // 999.5 would be shown as 1000 of the smaller unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 9.95 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

/** 1 record, 2 records, 0 records; `many` where an s does not do. */
export const count = (n: number, one: string, many = `${one}s`): string => `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago a time is, up to 30 days; then, and for the future, the date. "" for what is no time. */
export function relativeDate(iso: string, now: Date): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return '';
  const ago = now.getTime() - time;
  // Clocks of two machines differ a little.
  if (ago > -5 * MINUTE && ago < MINUTE) return 'just now';
  if (ago < 0 || ago >= 30 * DAY) return new Date(time).toISOString().slice(0, 10);
  if (ago < HOUR) return `${count(Math.floor(ago / MINUTE), 'minute')} ago`;
  if (ago < DAY) return `${count(Math.floor(ago / HOUR), 'hour')} ago`;
  const days = Math.floor(ago / DAY);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
