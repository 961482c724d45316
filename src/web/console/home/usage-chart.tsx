import { BarChart } from '../parts/bar-chart.tsx';
import { formatCount, formatDay } from '../parts/format.ts';
import { Card } from '../parts/page.tsx';
import { Reading } from '../parts/states.tsx';
import { pointsOf, type History } from '../service/history.ts';
import { useRead } from '../service/queries.ts';
import { texts } from '../texts/texts.ts';

const t = texts.home;

const MONTH_MS = 30 * 86_400_000;
/** Not with each event: the service adds up all sessions of the month. */
const OFTEN_MS = 60_000;

export function UsageChart() {
  const history = useRead<History<'minutes'>>('/v1/history?span=month', { everyMs: OFTEN_MS });
  return (
    <Card title={t.usage}>
      <Reading query={history}>
        {(read) => {
          const points = byDay(pointsOf(read, 'minutes', { now: Date.now(), spanMs: MONTH_MS }));
          const total = points.reduce((sum, { value }) => sum + value, 0);
          if (total === 0) return <p className="all-well">{t.usageNone}</p>;
          return (
            <BarChart points={points} format={formatDay} label={t.usageChart(formatCount(total))} />
          );
        }}
      </Reading>
    </Card>
  );
}

/** The service may answer in steps of some hours. */
function byDay(points: { at: string; value: number }[]): { at: string; value: number }[] {
  const days = new Map<string, number>();
  for (const { at, value } of points) {
    const day = at.slice(0, 10);
    days.set(day, (days.get(day) ?? 0) + value);
  }
  return [...days].map(([at, value]) => ({ at, value }));
}
