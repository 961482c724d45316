import { Gauge, type Registry } from 'prom-client';
import { CANARY_METRICS } from '#protocol/metric-names.ts';
import { ARMS } from '../../records/fleet/canaries.ts';
import type { Canary } from '../../sessions/canary/canary.ts';

/** Returns the function that refreshes the gauges. Call it before each read of the registry. */
export function gaugeCanary(registry: Registry, canary: Pick<Canary, 'current'>): () => void {
  const gauge = (name: keyof typeof CANARY_METRICS, labelNames: string[] = []) =>
    new Gauge({ name, help: CANARY_METRICS[name], labelNames, registers: [registry] });
  const share = gauge('troupe_canary_share');
  const stopped = gauge('troupe_canary_stopped');
  const sessions = gauge('troupe_canary_sessions', ['arm']);
  const failures = gauge('troupe_canary_failures', ['arm']);

  return () => {
    const { current } = canary;
    const isRunning = current?.stoppedAt === null;
    share.set(isRunning ? current.sharePercent / 100 : 0);
    stopped.set(current && !isRunning ? 1 : 0);
    for (const arm of ARMS) {
      sessions.set({ arm }, current?.tallies[arm].sessions ?? 0);
      failures.set({ arm }, current?.tallies[arm].failures ?? 0);
    }
  };
}
