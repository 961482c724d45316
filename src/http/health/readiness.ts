import type { DomainServices } from '../services.ts';
import { DependencyChecks } from './dependency-checks.ts';

/** `freeSlots` is that of the last run. */
type Readiness = { checks: DependencyChecks; freeSlots: () => number };

export function readinessOf({ rooms, fleet, dependencies, clock, log }: DomainServices): Readiness {
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
