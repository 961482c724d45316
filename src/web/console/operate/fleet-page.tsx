import './operate.css';
import { Figure } from '../parts/facts.tsx';
import { formatDateTime, formatDuration } from '../parts/format.ts';
import { Code } from '../parts/code.tsx';
import { BarChart } from '../parts/bar-chart.tsx';
import { Card, Page } from '../parts/page.tsx';
import { Empty, Reading } from '../parts/states.tsx';
import { useLiveFleet } from '../service/live.ts';
import { pointsOf, type History } from '../service/history.ts';
import { useRead } from '../service/queries.ts';
import type { FleetPressure, Worker } from '../../../clients/typescript/src/generated/models.ts';
import { texts } from '../texts/texts.ts';
import { WorkerCard } from './worker-card.tsx';

const t = texts.operate;

/** The stream reports every change; this is for while it is broken. */
const SLOWLY_MS = 10_000;

const DAY_MS = 86_400_000;

export function FleetPage() {
  useLiveFleet(true);
  const workers = useRead<{ data: Worker[] }>('/v1/fleet/workers', { everyMs: SLOWLY_MS });
  const pressure = useRead<FleetPressure>('/v1/fleet/pressure', { everyMs: SLOWLY_MS });
  return (
    <Page title={t.fleet} lede={t.fleetLede}>
      <Reading query={workers} lines={6}>
        {({ data }) => (
          <>
            {pressure.data && <FleetFigures workers={data} pressure={pressure.data} />}
            {data.length === 0 ? (
              <Empty title={t.noWorkers} text={t.noWorkersText}>
                <Code text={t.noWorkersCommand} label={t.noWorkersText} />
              </Empty>
            ) : (
              poolsOf(data).map(([pool, members]) => (
                <section key={pool} className="stack">
                  <h2>{t.pool(pool)}</h2>
                  <ul className="workers">
                    {members.map((worker) => (
                      <li key={worker.id}>
                        <WorkerCard
                          worker={worker}
                          keptFree={pressure.data?.warm_slots ?? 0}
                          others={data.filter(({ id }) => id !== worker.id)}
                        />
                      </li>
                    ))}
                  </ul>
                </section>
              ))
            )}
          </>
        )}
      </Reading>
      <DayChart title={t.demand} kind="taken_peak" label={t.demandChart} none={t.demandNone} />
      <DayChart
        title={t.failovers}
        note={t.failoversNote}
        kind="failovers"
        label={t.failoversChart}
        none={t.failoversNone}
      />
    </Page>
  );
}

type Kind = 'taken_peak' | 'failovers';
type DayChartProps = { title: string; note?: string; kind: Kind; label: string; none: string };

function DayChart({ title, note, kind, label, none }: DayChartProps) {
  const history = useRead<History<Kind>>('/v1/fleet/history?span=day');
  return (
    <Card title={title} note={note}>
      <Reading query={history}>
        {(read) => {
          const points = pointsOf(read, kind, { now: Date.now(), spanMs: DAY_MS });
          if (points.every(({ value }) => value === 0)) return <p className="soft">{none}</p>;
          return <BarChart points={points} format={formatDateTime} label={label} />;
        }}
      </Reading>
    </Card>
  );
}

function poolsOf(workers: Worker[]): [string, Worker[]][] {
  const pools = new Map<string, Worker[]>();
  for (const worker of workers) pools.set(worker.pool, [...(pools.get(worker.pool) ?? []), worker]);
  return [...pools].sort(([a], [b]) => a.localeCompare(b));
}

type FleetFiguresProps = { workers: Worker[]; pressure: FleetPressure };

function FleetFigures({ workers, pressure }: FleetFiguresProps) {
  const faces = workers.filter(({ kind }) => kind === 'avatar');
  const sum = (countOf: (worker: Worker) => number) =>
    faces.reduce((total, worker) => total + countOf(worker), 0);
  const { free_slots, warm_slots, queue_depth, queue_oldest_seconds, wanted_workers } = pressure;
  return (
    <section className="figures" aria-label={t.fleet}>
      <Figure
        name={t.free}
        value={free_slots}
        note={`${t.freeOf(sum(({ slots }) => slots))}, ${t.keptFree(warm_slots)}`}
        tone={free_slots === 0 ? 'bad' : undefined}
      />
      <Figure name={t.live} value={sum(({ taken }) => taken)} />
      <Figure
        name={t.queue}
        value={queue_depth}
        note={
          queue_depth > 0 ? t.queueOldest(formatDuration(queue_oldest_seconds * 1000)) : t.queueNone
        }
        tone={queue_depth > 0 ? 'bad' : undefined}
      />
      <Figure name={t.wanted} value={wanted_workers} note={t.have(faces.length)} />
    </section>
  );
}
