/* The series that a control plane has, read from its registries, and what Prometheus adds. */
import fastify from 'fastify';
import { END_REASONS } from '#protocol/end-reasons.ts';
import { QUALITY_NAMES } from '#protocol/qualities.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import { noTraffic } from '../../../src/botrooms/traffic.ts';
import { DELIVERY_RESULTS } from '../../../src/events/deliveries.ts';
import { REFUSALS, WORKER_KINDS, WORKER_STATES } from '../../../src/fleet/fleet.ts';
import { collectMetrics } from '../../../src/http/metrics/metrics.ts';
import { STEPS } from '../../../workers/probe/probe.ts';
import { toMetrics } from '../../../workers/probe/report.ts';
import { usesOf } from './promql.ts';

/** Added when Prometheus scrapes. */
const SCRAPED = ['job', 'instance'];

/** Values of labels, by metric and label where one label means different things. */
const VALUES: Record<string, readonly string[]> = {
  kind: WORKER_KINDS,
  end_reason: END_REASONS,
  reason: REFUSALS,
  result: DELIVERY_RESULTS,
  'troupe_workers state': WORKER_STATES,
  'troupe_slots state': ['free', 'taken', 'withheld'],
  phase: ['slot', 'assign', 'face', 'agent', 'total'],
  stage: ['transcript', 'first_token', 'first_audio', 'first_frame'],
  step: STEPS,
  quality: QUALITY_NAMES,
};

type KnownSeries = Map<string, { metric: string; labels: string[]; buckets: number[] }>;

/** `recorded`: names of recording rules, which have no labels here. */
export async function knownSeries(recorded: readonly string[]): Promise<KnownSeries> {
  const app = fastify();
  const { registry } = collectMetrics(app, {
    ownEvents: new TypedEvents(console.error),
    fleetEvents: new TypedEvents(console.error),
    webhooks: { events: new TypedEvents(console.error) },
    callEvents: new TypedEvents(console.error),
    relay: { size: 0, traffic: noTraffic() },
    fleet: { countsByPool: async () => new Map(), workers: async () => [] },
    drains: { of: async () => new Map() },
    clock: { now: () => 0 },
    canary: { current: null },
    overflow: { pools: { known: [] }, events: new TypedEvents(console.error) },
    settings: { warmSlots: 0 },
  });
  await app.close();
  const seriesByName: KnownSeries = new Map();
  for (const metric of registry.getMetricsAsArray()) {
    const { name, type } = metric;
    const { labelNames = [], upperBounds = [] } = metric as unknown as {
      labelNames?: string[];
      upperBounds?: number[];
    };
    const labels = [...labelNames.filter((label) => label !== 'le'), ...SCRAPED];
    const add = (suffix: string, extraLabels: string[] = []) =>
      seriesByName.set(name + suffix, {
        metric: name,
        labels: [...labels, ...extraLabels],
        buckets: upperBounds,
      });
    if (String(type) === 'histogram') {
      add('_bucket', ['le']);
      add('_count');
      add('_sum');
    } else {
      add('');
    }
  }
  for (const [name, labels] of probeSeries())
    seriesByName.set(name, { metric: name, labels: [...labels, ...SCRAPED], buckets: [] });
  seriesByName.set('up', { metric: 'up', labels: SCRAPED, buckets: [] });
  for (const name of recorded) seriesByName.set(name, { metric: name, labels: [], buckets: [] });
  return seriesByName;
}

/** Name and labels of each metric in the report of a probe. */
function probeSeries(): [string, string[]][] {
  const steps = Object.fromEntries(STEPS.map((step) => [step, 1]));
  const result = { sessionId: 's', steps, framesPerSecond: 25, failure: null };
  const samples = toMetrics(result, 0).matchAll(/^(troupe_\w+)(?:\{(\w+)=)?/gm);
  return [...samples].map(([, name = '', label]) => [name, label === undefined ? [] : [label]]);
}

/** Series that the expression uses and that do not exist. */
export function unknownIn(expression: string, seriesByName: KnownSeries): string[] {
  const { series, groupedBy } = usesOf(expression);
  const problems: string[] = [];
  const labels = new Set<string>();
  for (const { name, matchers } of series) {
    const entry = seriesByName.get(name);
    if (!entry) {
      problems.push(`no series ${name}`);
      continue;
    }
    for (const label of entry.labels) labels.add(label);
    for (const { label, operator, value } of matchers) {
      if (!entry.labels.includes(label)) problems.push(`no label ${label} of ${name}`);
      else if (!mayMatch(entry, label, operator, value))
        problems.push(`no value ${value} of ${label} of ${name}`);
    }
  }
  const grouped = groupedBy.filter((label) => !labels.has(label));
  return [...problems, ...grouped.map((label) => `no label ${label} to group by`)];
}

function mayMatch(
  { metric, buckets }: { metric: string; buckets: number[] },
  label: string,
  operator: string,
  value: string,
): boolean {
  if (label === 'le') return buckets.map(String).includes(value);
  const values = VALUES[`${metric} ${label}`] ?? VALUES[label];
  if (!values) return true;
  const candidates = operator.includes('~') ? value.split('|') : [value];
  return candidates.every((candidate) => values.includes(candidate));
}
