import type { Lease, Placement } from '../fleet.ts';
import { Leases } from '../leases.ts';
import { kindOf } from '../placement.ts';
import type { RedisSlots } from './redis-slots.ts';
import type { SlotRequest } from './shared-queue.ts';

/**
 * Leases of the sessions that this node owns. They survive a Redis that fails or loses its data.
 */
export class NodeLeases {
  readonly #slots: Pick<RedisSlots, 'reserve' | 'hold' | 'free'>;
  readonly #held = new Leases();
  /** Placements to free when Redis returns. Some may never have been reserved. */
  #unfreed: Placement[] = [];

  constructor(slots: Pick<RedisSlots, 'reserve' | 'hold' | 'free'>) {
    this.#slots = slots;
  }

  /** Null if no slot is free. */
  async reserve({ placement, requirements }: SlotRequest): Promise<Lease | null> {
    try {
      const lease = await this.#slots.reserve(placement, kindOf(requirements));
      if (lease) this.#held.take(lease);
      return lease;
    } catch (error) {
      // The outcome is unknown.
      this.#unfreed.push(placement);
      throw error;
    }
  }

  async hold(lease: Lease): Promise<void> {
    // Recorded even if Redis fails now: it is published again when Redis returns.
    this.#held.take(lease);
    if (!(await this.#slots.hold(lease))) throw new Error('a newer lease of this session exists');
  }

  async free(lease: Lease): Promise<void> {
    this.#held.free(lease);
    await this.#free(lease);
  }

  /** Another node now owns the session and its lease. */
  disown(sessionId: string): void {
    const lease = this.#held.of(sessionId);
    if (lease) this.#held.free(lease);
  }

  /** Repeats in Redis what it may have lost or missed. */
  async publish(): Promise<void> {
    // `#free` puts a failed placement back and throws, which keeps the rest.
    for (let placement = this.#unfreed.shift(); placement; placement = this.#unfreed.shift())
      await this.#free(placement);
    for (const lease of this.#held.all()) await this.#slots.hold(lease);
  }

  async #free({ sessionId, epoch }: Placement): Promise<void> {
    try {
      await this.#slots.free({ sessionId, epoch });
    } catch (error) {
      this.#unfreed.push({ sessionId, epoch });
      throw error;
    }
  }
}
