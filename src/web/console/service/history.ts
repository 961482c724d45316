/* Series of figures over time. Steps without figures are left out of the answers. */

export type History<Figure extends string> = {
  step_seconds: number;
  points: ({ at: string } & Record<Figure, number>)[];
};

export type Point = { at: string; value: number };

/** Every step of the last `spanMs` before `now`, with 0 where nothing was recorded. */
export function pointsOf<Figure extends string>(
  { step_seconds, points }: History<Figure>,
  figure: Figure,
  { now, spanMs }: { now: number; spanMs: number },
): Point[] {
  const stepMs = step_seconds * 1000;
  const values = new Map<number, number>();
  for (const point of points) values.set(Math.floor(Date.parse(point.at) / stepMs), point[figure]);
  const length = Math.floor(spanMs / stepMs);
  const firstStep = Math.floor(now / stepMs) - length + 1;
  return Array.from({ length }, (_, index) => {
    const step = firstStep + index;
    return { at: new Date(step * stepMs).toISOString(), value: values.get(step) ?? 0 };
  });
}
