import { Histogram, type Registry } from 'prom-client';
import { SESSION_METRICS } from '#protocol/metric-names.ts';
import type { MeasuredEvents } from './session-metrics.ts';

/** The last bucket is the limit for a session start. */
const START_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60];

/** Longer than any session takes to start. Another control plane may have taken it over. */
const FORGET_MS = 5 * 60_000;

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

  /**
   * Waits of sessions that have not started, oldest first. The record is written after the wait.
   */
  const waits = new Map<string, { at: number; waitedMs: number }>();
  ownEvents.on('session.timeline', ({ sessionId, entry }) => {
    // A later wait, for another worker, is part of the time since the record.
    if (entry.kind !== 'queued' || waits.has(sessionId)) return;
    forgetUntil(waits, entry.at - FORGET_MS);
    waits.set(sessionId, entry);
  });
  ownEvents.on('session.started', ({ session: { id, kind, createdAt, startedAt } }) => {
    const sinceRecord = (startedAt ?? createdAt) - createdAt;
    observe(kind === 'avatar' ? 'face' : 'agent', sinceRecord);
    if (kind === 'avatar') observe('total', (waits.get(id)?.waitedMs ?? 0) + sinceRecord);
    waits.delete(id);
  });
  ownEvents.on('session.ended', ({ session: { id } }) => waits.delete(id));
}

function forgetUntil(waits: Map<string, { at: number }>, until: number): void {
  for (const [id, { at }] of waits) {
    if (at > until) return;
    waits.delete(id);
  }
}
