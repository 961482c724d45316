/* The metrics of this process that are kept over time, for charts and alerts. */
import type { Registry } from 'prom-client';
import type { Budget } from '#protocol/budgets.ts';
import type { Counts } from '../../records/history/metric-history.ts';

/** Series of a metric whose labels match. */
type Selection = { series: string; labels?: Record<string, RegExp> };

const bucket = (metric: string, le: number, labels: Record<string, RegExp> = {}): Selection => ({
  series: `${metric}_bucket`,
  labels: { ...labels, le: new RegExp(`^${le}$`) },
});

/** The alert rules of deploy/prometheus have the same limits; a test compares them. */
export const IN_TIME_SECONDS = {
  reads: 0.5,
  starts: 1,
  returns: 5,
  lips: 0.08,
  answers: 3,
} as const;

/** Those that refuse calls of more than one visitor. */
export const DAY_BUDGETS = ['day', 'link_day', 'account_day'] satisfies Budget[];

const START = 'troupe_session_start_seconds';
const REQUEST = 'troupe_http_request_seconds';
const OFFSET = 'troupe_av_offset_seconds';
const ANSWER = 'troupe_answer_seconds';
const FAILOVER = 'troupe_failover_seconds';
const READS = { method: /^GET$/, route: /^\/v1\/(?!.*\/events$)/ };

const SELECTIONS = {
  requests: { series: `${REQUEST}_count` },
  requests_failed: { series: `${REQUEST}_count`, labels: { status: /^5/ } },
  reads: { series: `${REQUEST}_count`, labels: READS },
  reads_in_time: bucket(REQUEST, IN_TIME_SECONDS.reads, READS),
  rejections: { series: 'troupe_rejections_total' },
  slots_given: { series: `${START}_count`, labels: { phase: /^slot$/ } },
  starts: { series: `${START}_count`, labels: { phase: /^total$/ } },
  starts_in_time: bucket(START, IN_TIME_SECONDS.starts, { phase: /^total$/ }),
  ended: { series: 'troupe_sessions_total' },
  ended_lost: {
    series: 'troupe_sessions_total',
    labels: { end_reason: /^(worker_lost|never_started|service_stopped)$/ },
  },
  failovers_avatar: { series: 'troupe_failovers_total', labels: { kind: /^avatar$/ } },
  failovers_agent: { series: 'troupe_failovers_total', labels: { kind: /^agent$/ } },
  handovers: { series: 'troupe_handovers_total' },
  returns: { series: `${FAILOVER}_count` },
  returns_in_time: bucket(FAILOVER, IN_TIME_SECONDS.returns),
  lips: { series: `${OFFSET}_count` },
  lips_in_time: bucket(OFFSET, IN_TIME_SECONDS.lips),
  answers: { series: `${ANSWER}_count`, labels: { stage: /^first_audio$/ } },
  answers_in_time: bucket(ANSWER, IN_TIME_SECONDS.answers, { stage: /^first_audio$/ }),
  pictures_dropped: { series: 'troupe_botroom_pictures_dropped_total' },
  deliveries_failed: {
    series: 'troupe_webhook_deliveries_total',
    labels: { result: /^failed$/ },
  },
  day_budgets_reached: {
    series: 'troupe_budgets_reached_total',
    labels: { budget: new RegExp(`^(${DAY_BUDGETS.join('|')})$`) },
  },
} satisfies Record<string, Selection>;

export type CountName = keyof typeof SELECTIONS;

const METRICS = [
  ...new Set(Object.values(SELECTIONS).map(({ series }) => series.replace(/_(bucket|count)$/, ''))),
];

type Sample = {
  metricName?: string;
  labels: Partial<Record<string, string | number>>;
  value: number;
};

/** Counts since the process started. Reads no other metrics: reading some of them resets them. */
export async function readCounts(registry: Registry): Promise<Record<CountName, number>> {
  const series = new Map<string, Sample[]>();
  for (const name of METRICS) {
    const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
    for (const sample of values as Sample[]) {
      const { metricName = name } = sample;
      const samples = series.get(metricName) ?? [];
      samples.push(sample);
      series.set(metricName, samples);
    }
  }
  const counts = Object.entries(SELECTIONS).map(([name, selection]: [string, Selection]) => [
    name,
    sumOf(series.get(selection.series) ?? [], selection.labels ?? {}),
  ]);
  return Object.fromEntries(counts) as Record<CountName, number>;
}

const sumOf = (samples: Sample[], patterns: Record<string, RegExp>): number =>
  samples
    .filter(({ labels }) =>
      Object.entries(patterns).every(([name, value]) => value.test(String(labels[name] ?? ''))),
    )
    .reduce((sum, { value }) => sum + value, 0);

/** Differences between two readings, without those that are zero. */
export const addedSince = (earlier: Counts, now: Counts): Counts =>
  Object.fromEntries(
    Object.entries(now)
      .map(([name, count]) => [name, count - (earlier[name] ?? 0)] as const)
      .filter(([, added]) => added > 0),
  );
