import { Gauge, type Registry } from 'prom-client';
import type { Fleet, WorkerKind, WorkerStatus } from '../fleet/fleet.ts';
import { pressureOf } from '../fleet/pressure.ts';
import { FLEET_METRICS } from './metric-names.ts';

export type FleetMetricParts = {
  fleet: Pick<Fleet, 'counts' | 'workers'>;
  /** How many slots shall be free at any time. */
  warmSlots: number;
};

/** Call what it returns before the registry is read: the fleet is looked at then, and only then. */
export function gaugeFleet(
  registry: Registry,
  { fleet, warmSlots }: FleetMetricParts,
): () => Promise<void> {
  const gauge = <Label extends string>(
    name: keyof typeof FLEET_METRICS,
    labelNames: Label[] = [],
  ) => new Gauge({ name, help: FLEET_METRICS[name], labelNames, registers: [registry] });
  const workers = gauge('troupe_workers', ['kind', 'state', 'pool', 'version']);
  const slots = gauge('troupe_slots', ['kind', 'state']);
  const depth = gauge('troupe_queue_depth', ['kind']);
  const oldest = gauge('troupe_queue_oldest_seconds', ['kind']);
  const wanted = gauge('troupe_wanted_workers', ['kind']);
  const frameRate = gauge('troupe_frame_rate');

  const lookAt = async (kind: WorkerKind, all: WorkerStatus[]) => {
    const pressure = pressureOf(await fleet.counts(kind), warmSlots);
    slots.set({ kind, state: 'free' }, pressure.freeSlots);
    slots.set({ kind, state: 'taken' }, sum(all.map(({ taken }) => taken)));
    slots.set({ kind, state: 'withheld' }, sum(all.map(withheld)));
    depth.set({ kind }, pressure.queueDepth);
    oldest.set({ kind }, pressure.queueOldestSeconds);
    wanted.set({ kind }, pressure.wantedWorkers);
  };

  return async () => {
    const all = await fleet.workers();
    const ofKind = (kind: WorkerKind) => all.filter(({ facts }) => facts.kind === kind);
    // What was there once and is not any more must not be told for ever.
    workers.reset();
    for (const { state, facts } of all) {
      const { kind, pool, version } = facts;
      workers.inc({ kind, state, pool, version });
    }
    await lookAt('avatar', ofKind('avatar'));
    await lookAt('agent', ofKind('agent'));
    frameRate.set(meanFrameRate(ofKind('avatar')));
  };
}

const withheld = ({ state, facts, taken }: WorkerStatus): number =>
  state === 'ready' ? 0 : Math.max(0, facts.slots - taken);

/** Not a number while nothing is shown: 0 would look like a fault. */
function meanFrameRate(workers: WorkerStatus[]): number {
  const showing = workers.flatMap(({ load: { frameRate, performing } }) =>
    frameRate === undefined ? [] : [{ frameRate, performing }],
  );
  const sessions = sum(showing.map(({ performing }) => performing));
  return sum(showing.map(({ frameRate, performing }) => frameRate * performing)) / sessions;
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
