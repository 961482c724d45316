import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { Rooms } from '../../rooms/rooms.ts';
import { DependencyChecks, type Check } from './dependency-checks.ts';

/** Checked beside the workers and the media server. Null: the service does not use it. */
export type Dependencies = {
  database: Check;
  redis: Check | null;
  gateway: Check;
  disk: Check | null;
};

type ReadinessParts = {
  rooms: Pick<Rooms, 'isUp'>;
  fleet: Pick<Fleet, 'counts'>;
  dependencies: Dependencies;
  clock: Clock;
  log: Log;
};

/** `freeSlots` is that of the last run. */
type Readiness = { checks: DependencyChecks; freeSlots: () => number };

export function readinessOf({ rooms, fleet, dependencies, clock, log }: ReadinessParts): Readiness {
  let freeSlots = 0;
  const checks = new DependencyChecks(
    {
      ...dependencies,
      media_server: async () => {
        if (!(await rooms.isUp())) throw new Error('the media server does not answer');
      },
      workers: async () => {
        freeSlots = (await fleet.counts()).free;
        if (freeSlots === 0) throw new Error('no free slot');
      },
    },
    { clock, log },
  );
  return { checks, freeSlots: () => freeSlots };
}
