import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { demandByPool } from '../../fleet/demand.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { MetricHistory } from '../../records/history/metric-history.ts';
import type { Canary } from '../../sessions/canary/canary.ts';
import type { DrainForecasts } from '../../sessions/workers/drain-forecasts.ts';
import { ALERT_RULES } from './alert-rules.ts';
import { AlertWatch } from './alert-watch.ts';
import { WINDOWS, type KnownState, type Window } from './known-state.ts';

export type AlertParts = {
  fleet: Pick<Fleet, 'workers' | 'countsByPool'>;
  drains: Pick<DrainForecasts, 'of'>;
  canary: Pick<Canary, 'current'>;
  metricHistory: Pick<MetricHistory, 'sums'>;
  /** Free slots to keep in each pool. */
  warmSlots: number;
  clock: Clock;
  log: Log;
};

/** Closed by the caller. */
export const openAlerts = (parts: AlertParts): AlertWatch =>
  new AlertWatch({ ...parts, rules: ALERT_RULES, read: () => readState(parts) });

async function readState(parts: AlertParts): Promise<KnownState> {
  const { fleet, drains, canary, metricHistory, warmSlots, clock } = parts;
  const [workers, pools, sums] = await Promise.all([
    fleet.workers(),
    demandByPool(fleet, warmSlots),
    metricHistory.sums(Object.values(WINDOWS), clock.now()),
  ]);
  const windows = Object.keys(WINDOWS) as Window[];
  return {
    workers,
    pools,
    drains: await drains.of(workers),
    canary: canary.current,
    count: (name, window) => sums[windows.indexOf(window)]?.[name] ?? 0,
  };
}
