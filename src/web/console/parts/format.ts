/* How the console writes times, durations and counts. */

const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const clockTime = new Intl.DateTimeFormat('en', { timeStyle: 'medium' });
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const count = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export const formatDateTime = (iso: string): string => dateTime.format(new Date(iso));
export const formatClock = (iso: string): string => clockTime.format(new Date(iso));
export const formatDay = (iso: string): string => day.format(new Date(iso));
export const formatCount = (value: number): string => count.format(value);

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** "5 min. ago", "in 2 hr." */
export function formatAgo(iso: string, now: number): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative.format(Math.round(seconds / length), unit);
}

/** "42 s", "3 min 05 s", "1 h 02 min" */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${two(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${two(minutes % 60)} min`;
}

/** "380 ms", "1.4 s" */
export const formatMs = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${count.format(ms / 1000)} s`;

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const kib = bytes / 1024;
  return kib < 1024 ? `${count.format(kib)} KiB` : `${count.format(kib / 1024)} MiB`;
}

const two = (value: number): string => String(value).padStart(2, '0');
