/* The fleet and the outside services as one: a session gets a slot outside if none is free here. */
import type { SessionFleet } from '../fleet/fleet.ts';
import { isOverflowWorker } from '#protocol/worker/worker-id.ts';
import type { OutsideFleet } from './outside-fleet.ts';

export function overflowFleet(fleet: SessionFleet, outside: OutsideFleet): SessionFleet {
  const fleetOf = (workerId: string) => (isOverflowWorker(workerId) ? outside : fleet);
  return {
    line: fleet.line,
    async reserve(placement, requirements, options) {
      if (!outside.targetFor(requirements)) return fleet.reserve(placement, requirements, options);
      const ownLease = await fleet.reserve(placement, requirements, { ...options, waitMs: 0 });
      if (ownLease || options.signal?.aborted) return ownLease;
      const lease = await outside.reserve(placement, requirements);
      return lease ?? fleet.reserve(placement, requirements, options);
    },
    refusal: async (requirements) =>
      (await outside.refusal(requirements)) ?? fleet.refusal(requirements),
    hold: (lease) => fleetOf(lease.workerId).hold(lease),
    free: (lease) => fleetOf(lease.workerId).free(lease),
    leases: async () => (await Promise.all([fleet.leases(), outside.leases()])).flat(),
    assign: (lease, job) => fleetOf(lease.workerId).assign(lease, job),
    send: (workerId, order) => fleetOf(workerId).send(workerId, order),
    workers: async () => (await Promise.all([fleet.workers(), outside.workers()])).flat(),
    counts: (kind) => fleet.counts(kind),
    cordon: (workerIds) => fleet.cordon(workerIds),
  };
}
