import type { FastifyInstance } from 'fastify';
import { Counter, Histogram, type Registry } from 'prom-client';
import { END_REASONS } from '#protocol/end-reasons.ts';
import { DELIVERY_RESULTS, type DeliveryEvents } from '../../events/deliveries.ts';
import { REFUSALS, type FleetEvents } from '../../fleet/fleet.ts';
import type { SessionEvents } from '../../sessions/session-events.ts';
import { QUALITY_NAMES } from '#protocol/qualities.ts';
import { SESSION_METRICS } from '#protocol/metric-names.ts';

export type MeasuredEvents = {
  /** Events of this control plane's sessions; each control plane counts its own. */
  ownEvents: SessionEvents;
  fleetEvents: FleetEvents;
  webhooks: { events: DeliveryEvents };
};

const FAILOVER_SECONDS = [0.25, 0.5, 1, 1.5, 2, 3, 5, 10, 20];

/** A frame lasts 0.04; an offset of 0.08 is visible. */
const OFFSET_SECONDS = [0.0025, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16];

type Name = keyof typeof SESSION_METRICS;

/**
 * Counts session events. Every known label starts at zero, so that rates are correct from the first
 * event.
 */
export function countSessions(
  app: FastifyInstance,
  registry: Registry,
  { ownEvents, fleetEvents, webhooks }: MeasuredEvents,
): void {
  const registers = [registry];
  const counter = <Label extends string>(name: Name, labelNames: Label[] = []) =>
    new Counter({ name, help: SESSION_METRICS[name], labelNames, registers });
  const seconds = <Label extends string>(name: Name, buckets: number[], labelNames: Label[] = []) =>
    new Histogram({ name, help: SESSION_METRICS[name], buckets, labelNames, registers });

  const ended = counter('troupe_sessions_total', ['end_reason']);
  for (const end_reason of END_REASONS) ended.inc({ end_reason }, 0);
  ownEvents.on('session.ended', ({ session: { kind, endReason } }) => {
    if (kind === 'avatar') ended.inc({ end_reason: endReason ?? '' });
  });

  const rejections = counter('troupe_rejections_total', ['reason']);
  for (const reason of REFUSALS) rejections.inc({ reason }, 0);
  app.addHook('onResponse', async ({ rejectedFor }) => {
    if (rejectedFor !== null) rejections.inc({ reason: rejectedFor });
  });

  const failovers = counter('troupe_failovers_total', ['kind']);
  const handovers = counter('troupe_handovers_total', ['kind']);
  for (const kind of ['avatar', 'agent']) {
    failovers.inc({ kind }, 0);
    handovers.inc({ kind }, 0);
  }
  const failover = seconds('troupe_failover_seconds', FAILOVER_SECONDS);
  ownEvents.on('session.lost', ({ session: { kind } }) => failovers.inc({ kind }));
  ownEvents.on('session.handed_over', ({ session: { kind } }) => handovers.inc({ kind }));
  ownEvents.on('session.recovered', ({ session: { kind }, afterMs }) => {
    if (kind === 'avatar') failover.observe(afterMs / 1_000);
  });

  const changes = counter('troupe_quality_changes_total', ['quality']);
  for (const quality of QUALITY_NAMES) changes.inc({ quality }, 0);
  ownEvents.on('session.quality_changed', ({ quality }) => changes.inc({ quality }));

  const offset = seconds('troupe_av_offset_seconds', OFFSET_SECONDS);
  fleetEvents.on('offsets.reported', ({ avOffsetsMs }) => {
    for (const offsetMs of avOffsetsMs) offset.observe(offsetMs / 1_000);
  });

  const deliveries = counter('troupe_webhook_deliveries_total', ['result']);
  for (const result of DELIVERY_RESULTS) deliveries.inc({ result }, 0);
  webhooks.events.on('delivery.tried', ({ result }) => deliveries.inc({ result }));
}
