import { demandByPool } from '../../fleet/demand.ts';
import { ALERT_RULES } from './alert-rules.ts';
import { AlertWatch } from './alert-watch.ts';
import { WINDOWS, type KnownState, type Window } from './known-state.ts';
import type { Services } from '../services.ts';

/** Closed by the caller. */
export const openAlerts = (services: Services): AlertWatch => {
  const { clock, log } = services;
  return new AlertWatch({ clock, log, rules: ALERT_RULES, read: () => readState(services) });
};

async function readState(services: Services): Promise<KnownState> {
  const { fleet, drains, canary, records, settings, clock } = services;
  const [workers, pools, sums] = await Promise.all([
    fleet.workers(),
    demandByPool(fleet, settings.warmSlots),
    records.metricHistory.sums(Object.values(WINDOWS), clock.now()),
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
