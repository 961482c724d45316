import { formatCount } from './format.ts';

type Point = { at: string; value: number };

type BarChartProps = { points: readonly Point[]; label: string; format: (at: string) => string };

/** One bar for each point; below are the first and the last time. */
export function BarChart({ points, label, format }: BarChartProps) {
  const top = niceTop(Math.max(...points.map(({ value }) => value)));
  const [firstPoint, lastPoint] = [points[0], points.at(-1)];
  return (
    <figure className="bars">
      <div className="bars-scale soft" aria-hidden="true">
        <span>{formatCount(top)}</span>
        <span>{formatCount(top / 2)}</span>
        <span>0</span>
      </div>
      <svg
        className="bars-plot"
        viewBox={`0 0 ${points.length * 10} 100`}
        preserveAspectRatio="none"
        role="img"
        aria-label={label}
      >
        {[0, 50, 100].map((y) => (
          <line key={y} className="bars-line" x1="0" x2={points.length * 10} y1={y} y2={y} />
        ))}
        {points.map(({ at, value }, index) => {
          const height = (value / top) * 100;
          return (
            <rect key={at} x={index * 10 + 1.5} y={100 - height} width="7" height={height}>
              <title>{`${format(at)}: ${formatCount(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption className="bars-days soft">
        <span>{firstPoint && format(firstPoint.at)}</span>
        <span>{lastPoint && format(lastPoint.at)}</span>
      </figcaption>
    </figure>
  );
}

/** The next of 1, 2 or 5 times a power of ten. */
function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10) * power;
}
