import { Counter, Gauge, type Registry } from 'prom-client';
import { OVERFLOW_METRICS } from '#protocol/metric-names.ts';
import type { Overflows } from '../../overflow/open-overflow.ts';

export type MeasuredOverflow = Pick<Overflows, 'events'> & {
  pools: Pick<Overflows['pools'], 'known'>;
};

const MICROS = 1_000_000;

/** Returns the function that refreshes the gauges. Call it before each read of the registry. */
export function measureOverflow(registry: Registry, overflow: MeasuredOverflow): () => void {
  const gauge = (name: keyof typeof OVERFLOW_METRICS) =>
    new Gauge({ name, help: OVERFLOW_METRICS[name], labelNames: ['pool'], registers: [registry] });
  const sessions = gauge('troupe_overflow_sessions');
  const spent = gauge('troupe_overflow_spent');
  const reserved = gauge('troupe_overflow_reserved');
  const ceiling = gauge('troupe_overflow_ceiling');
  const results = new Counter({
    name: 'troupe_overflow_results_total',
    help: OVERFLOW_METRICS.troupe_overflow_results_total,
    labelNames: ['pool', 'result'],
    registers: [registry],
  });
  overflow.events.on('overflow.result', (labels) => results.inc(labels));

  return () => {
    for (const each of [sessions, spent, reserved, ceiling]) each.reset();
    for (const { overflow: settings, use } of overflow.pools.known) {
      const { pool } = settings;
      sessions.set({ pool }, use.open);
      spent.set({ pool }, use.spentMicros / MICROS);
      reserved.set({ pool }, use.reservedMicros / MICROS);
      ceiling.set({ pool }, settings.ceilingMicros / MICROS);
    }
  };
}
