/*
 * Sessions of this node that wait for a slot at any node. Slots are reserved in Redis, so serving
 * is asynchronous. The other nodes know the depth of this queue.
 */
import type { Clock } from '#shared/clock.ts';
import { endRound, requestRound, type Rounds } from '#shared/rounds.ts';
import type { Lease, Placement, ReserveOptions, Requirements } from '../fleet.ts';
import { kindOf, NOBODY, poolIfOf } from '../placement.ts';
import { GRACE_MS, SlotQueue } from '../queue.ts';
import type { RedisSlots } from './redis-slots.ts';
import { PublishedQueue } from './published-queue.ts';

export type SlotRequest = { placement: Placement; requirements: Requirements };

type SharedQueueParts = {
  slots: Pick<RedisSlots, 'refusal' | 'publishQueue'>;
  /** The name of this node. */
  self: string;
  clock: Clock;
  maxWaiting: number;
  /** Reserves a slot; null if none is free. */
  grant: (request: SlotRequest) => Promise<Lease | null>;
  /** Frees a slot that came too late for its request. */
  free: (lease: Lease) => Promise<void>;
  onFailed: (error: unknown) => void;
};

export class SharedQueue {
  readonly #parts: SharedQueueParts;
  readonly #queue: SlotQueue<SlotRequest, Lease>;
  readonly #published: PublishedQueue;
  #graceEndsAt: number;
  #rounds: Rounds = 'idle';

  constructor(parts: SharedQueueParts) {
    this.#parts = parts;
    const { slots, self, clock, maxWaiting } = parts;
    this.#graceEndsAt = clock.elapsed() + GRACE_MS;
    this.#queue = new SlotQueue(clock, maxWaiting, () => this.#serve());
    this.#published = new PublishedQueue({
      depths: (kind) => this.#queue.depths(poolIfOf(kind)),
      publish: (queue, { waiting, oldestWaitMs }) =>
        slots.publishQueue(self, queue, waiting, clock.now() - oldestWaitMs),
    });
  }

  async reserve(request: SlotRequest, options: ReserveOptions): Promise<Lease | null> {
    // Earlier requests come first.
    const lease = this.#queue.length === 0 ? await this.#parts.grant(request) : null;
    return lease ?? this.#wait(request, options);
  }

  /** Call when a slot may be free. */
  serve(): void {
    this.#queue.serve();
  }

  /** Call when a worker has left. It may reconnect. */
  beginGrace(): void {
    this.#graceEndsAt = this.#parts.clock.elapsed() + GRACE_MS;
  }

  /** Call when Redis has lost the published depths. */
  forgetPublished(): void {
    this.#published.forget();
  }

  close(): void {
    this.#queue.close();
  }

  async #wait(request: SlotRequest, options: ReserveOptions): Promise<Lease | null> {
    const { requirements } = request;
    const waitMs = await this.#longestWait(requirements, options);
    if (waitMs <= 0) return null;
    return this.#queue.wait(request, { ...options, waitMs, kind: kindOf(requirements) });
  }

  async #longestWait(
    requirements: Requirements,
    { waitMs, isUrgent = false }: ReserveOptions,
  ): Promise<number> {
    if (waitMs <= 0 || isUrgent) return waitMs;
    const { slots, clock } = this.#parts;
    if ((await slots.refusal(requirements)) !== NOBODY[requirements.kind]) return waitMs;
    return Math.min(waitMs, this.#graceEndsAt - clock.elapsed());
  }

  #serve(): void {
    const isIdle = this.#rounds === 'idle';
    this.#rounds = requestRound(this.#rounds);
    if (isIdle) this.#serveRounds().catch(this.#parts.onFailed);
  }

  async #serveRounds(): Promise<void> {
    try {
      do {
        await this.#serveRound();
        this.#rounds = endRound(this.#rounds);
      } while (this.#rounds !== 'idle');
    } finally {
      this.#rounds = 'idle';
    }
  }

  async #serveRound(): Promise<void> {
    const { grant, free } = this.#parts;
    await this.#published.publish();
    const lacking = new Set<string>();
    for (let waiter = this.#queue.next(lacking); waiter; waiter = this.#queue.next(lacking)) {
      const lease = await grant(waiter.request);
      if (!lease) lacking.add(waiter.kind);
      else if (!waiter.settle(lease)) await free(lease);
    }
    await this.#published.publish();
  }
}
