/** ISO 8601 with six digits and an offset: a published receiver fails on `Z`. */
export const isoTime = (ms: number): string =>
  `${new Date(ms).toISOString().slice(0, -1)}000+00:00`;
