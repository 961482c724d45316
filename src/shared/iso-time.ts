/** ISO 8601 with microseconds and an offset; some published webhook receivers fail on `Z`. */
export const isoTime = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, -1)}000+00:00`;
