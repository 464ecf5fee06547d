const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** A size as people say it, in decimal units: 999 B, 1.2 kB, 58 MB. */
export function bytes(size: number): string {
  let unit = 0;
  let value = size;
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
export function ago(iso: string, now: Date): string {
  const time = Date.parse(iso);
  if (Number.isNaN(time)) return '';
  const past = now.getTime() - time;
  // Clocks of two machines differ a little.
  if (past > -5 * MINUTE && past < MINUTE) return 'just now';
  if (past < 0 || past >= 30 * DAY) return new Date(time).toISOString().slice(0, 10);
  if (past < HOUR) return `${count(Math.floor(past / MINUTE), 'minute')} ago`;
  if (past < DAY) return `${count(Math.floor(past / HOUR), 'hour')} ago`;
  const days = Math.floor(past / DAY);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}
