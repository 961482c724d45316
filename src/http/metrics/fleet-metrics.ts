import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '#shared/clock.ts';
import { WORKER_KINDS, type Fleet, type WorkerKind, type WorkerStatus } from '../../fleet/fleet.ts';
import type { DrainForecast, DrainForecasts } from '../../sessions/workers/drain-forecasts.ts';
import { demandByPool, type PoolDemand } from '../../fleet/demand.ts';
import type { HttpSettings } from '../services.ts';
import { FLEET_METRICS } from '#protocol/metric-names.ts';
import { QUALITY_NAMES } from '#protocol/qualities.ts';

export type MeasuredFleet = {
  fleet: Pick<Fleet, 'countsByPool' | 'workers'>;
  drains: Pick<DrainForecasts, 'of'>;
  clock: Pick<Clock, 'now'>;
  settings: Pick<HttpSettings, 'warmSlots'>;
};

/** Returns the function that refreshes the gauges. Call it before each read of the registry. */
export function gaugeFleet(
  registry: Registry,
  { fleet, drains, clock, settings }: MeasuredFleet,
): () => Promise<void> {
  const gauge = <Label extends string>(
    name: keyof typeof FLEET_METRICS,
    labelNames: Label[] = [],
  ) => new Gauge({ name, help: FLEET_METRICS[name], labelNames, registers: [registry] });
  const workers = gauge('troupe_workers', ['kind', 'state', 'pool', 'version']);
  const slots = gauge('troupe_slots', ['kind', 'state', 'pool']);
  const depth = gauge('troupe_queue_depth', ['kind', 'pool']);
  const oldest = gauge('troupe_queue_oldest_seconds', ['kind', 'pool']);
  const wantedWorkers = gauge('troupe_wanted_workers', ['kind', 'pool']);
  const drain = gauge('troupe_drain_seconds', ['kind', 'pool']);
  const quality = gauge('troupe_worker_quality', ['pool', 'quality']);
  const frameRate = gauge('troupe_frame_rate');

  const setPool = ({ pool, ...demands }: PoolDemand, statuses: WorkerStatus[]) => {
    for (const kind of WORKER_KINDS) {
      const demand = demands[kind];
      const poolWorkers = statuses.filter(
        ({ facts }) => facts.kind === kind && facts.pool === pool,
      );
      slots.set({ kind, state: 'free', pool }, demand.freeSlots);
      slots.set({ kind, state: 'taken', pool }, sum(poolWorkers.map(({ taken }) => taken)));
      slots.set({ kind, state: 'withheld', pool }, sum(poolWorkers.map(withheld)));
      depth.set({ kind, pool }, demand.queueDepth);
      oldest.set({ kind, pool }, demand.queueOldestSeconds);
      wantedWorkers.set({ kind, pool }, demand.wantedWorkers);
    }
    for (const name of QUALITY_NAMES) quality.set({ pool, quality: name }, 0);
  };

  return async () => {
    const [statuses, pools] = await Promise.all([
      fleet.workers(),
      demandByPool(fleet, settings.warmSlots),
    ]);
    // Drop the labels of workers and pools that no longer exist.
    for (const each of [workers, slots, depth, oldest, wantedWorkers, drain, quality]) each.reset();
    for (const { state, facts } of statuses) {
      const { kind, pool, version } = facts;
      workers.inc({ kind, state, pool, version });
    }
    for (const pool of pools) setPool(pool, statuses);
    for (const { facts, load } of statuses)
      if (facts.kind === 'avatar')
        quality.inc({ pool: facts.pool, quality: load.quality ?? 'full' });
    for (const { kind, pool, leftMs } of drainsByPool(
      statuses,
      await drains.of(statuses),
      clock.now(),
    ))
      drain.set({ kind, pool }, leftMs / 1_000);
    frameRate.set(meanFrameRate(statuses.filter(({ facts }) => facts.kind === 'avatar')));
  };
}

/** The last worker of each kind and pool. */
function drainsByPool(workers: WorkerStatus[], forecasts: Map<string, DrainForecast>, now: number) {
  const lastOfPool = new Map<string, { kind: WorkerKind; pool: string; leftMs: number }>();
  for (const { facts } of workers) {
    const { workerId, kind, pool } = facts;
    const forecast = forecasts.get(workerId);
    if (!forecast) continue;
    const name = `${kind} ${pool}`;
    const leftMs = forecast.doneBy === null ? Infinity : forecast.doneBy - now;
    lastOfPool.set(name, {
      kind,
      pool,
      leftMs: Math.max(leftMs, lastOfPool.get(name)?.leftMs ?? 0),
    });
  }
  return lastOfPool.values();
}

const withheld = ({ state, facts, taken }: WorkerStatus): number =>
  state === 'ready' ? 0 : Math.max(0, facts.slots - taken);

/** NaN while no session is shown: 0 would look like a fault. */
function meanFrameRate(workers: WorkerStatus[]): number {
  const showing = workers.flatMap(({ load: { frameRate, performing } }) =>
    frameRate === undefined ? [] : [{ frameRate, performing }],
  );
  const sessions = sum(showing.map(({ performing }) => performing));
  return sum(showing.map(({ frameRate, performing }) => frameRate * performing)) / sessions;
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
