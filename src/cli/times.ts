/** An ISO time of the API in UTC, to the second: `2026-11-25 18:23:21`. */
export const shortTime = (iso: string): string =>
  new Date(iso).toISOString().slice(0, 19).replace('T', ' ');

/** `75 s`, `12 min`, `3 h 20 min`. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
