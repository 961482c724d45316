import { Histogram, type Registry } from 'prom-client';
import { SESSION_METRICS } from '#protocol/metric-names.ts';
import type { MeasuredEvents } from './session-metrics.ts';

/** The last bucket is the limit for a session start. */
const START_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];

const PHASES = ['slot', 'assign', 'face', 'agent', 'total'] as const;

/**
 * Times the stages of session starts. Every phase starts at zero, so that rates count the first.
 */
export function timeStarts(
  registry: Registry,
  { ownEvents, fleetEvents }: Pick<MeasuredEvents, 'ownEvents' | 'fleetEvents'>,
): void {
  const name = 'troupe_session_start_seconds';
  const start = new Histogram({
    name,
    help: SESSION_METRICS[name],
    labelNames: ['phase'],
    buckets: START_SECONDS,
    registers: [registry],
  });
  for (const phase of PHASES) start.zero({ phase });
  const observe = (phase: (typeof PHASES)[number], ms: number) =>
    start.observe({ phase }, ms / 1_000);

  fleetEvents.on('slot.reserved', ({ kind, waitedMs, isUrgent }) => {
    if (kind === 'avatar' && !isUrgent) observe('slot', waitedMs);
  });
  fleetEvents.on('session.assigned', ({ answer, tookMs }) => {
    if (answer === 'accepted') observe('assign', tookMs);
  });

  ownEvents.on('session.started', ({ session: { kind, createdAt, startedAt, waitedMs } }) => {
    const sinceRecord = (startedAt ?? createdAt) - createdAt;
    observe(kind === 'avatar' ? 'face' : 'agent', sinceRecord);
    // The record is written after the wait for a slot.
    if (kind === 'avatar') observe('total', (waitedMs ?? 0) + sinceRecord);
  });
}
