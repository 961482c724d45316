import type { PoolDemand } from '../../fleet/demand.ts';
import type { WorkerStatus } from '../../fleet/fleet.ts';
import type { CanaryRecord } from '../../records/fleet/canaries.ts';
import type { DrainForecast } from '../../sessions/workers/drain-forecasts.ts';
import type { CountName } from '../metrics/metric-counts.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** In milliseconds. */
export const WINDOWS = {
  '5m': 5 * MINUTE,
  '10m': 10 * MINUTE,
  '15m': 15 * MINUTE,
  '30m': 30 * MINUTE,
  '1h': HOUR,
  '6h': 6 * HOUR,
  '3d': 72 * HOUR,
} as const;
export type Window = keyof typeof WINDOWS;

/** State of the whole service, as known to one control plane. */
export type KnownState = {
  workers: readonly WorkerStatus[];
  pools: readonly PoolDemand[];
  drains: ReadonlyMap<string, DrainForecast>;
  canary: CanaryRecord | null;
  /** How often it happened in the last time, at all control planes. */
  count: (name: CountName, window: Window) => number;
};
