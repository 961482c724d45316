/*
 * Who waits at this control plane for a slot that may be anywhere: a slot is asked for in Redis, so whoever is served waits for an answer. The
 * other control planes know how many wait here.
 */
import type { Clock } from '#shared/clock.ts';
import type { Lease, Placement, ReserveOptions, Requirements } from '../fleet.ts';
import { kindOf, NOBODY, poolIfOf } from '../placement.ts';
import { SlotQueue } from '../queue.ts';
import type { RedisSlots } from './redis-slots.ts';
import { PublishedQueue } from './published-queue.ts';

export type SlotRequest = { placement: Placement; requirements: Requirements };

export type SharedQueueParts = {
  slots: Pick<RedisSlots, 'why' | 'tellQueue'>;
  /** The name of this control plane. */
  self: string;
  clock: Clock;
  maxWaiting: number;
  /** How long after the start, or after a worker has left, one that nobody can show the avatar to may wait for workers to come back. */
  graceMs: number;
  /** Takes a slot, or takes nothing. */
  grant: (request: SlotRequest) => Promise<Lease | null>;
  /** It came too late for whoever waited. */
  free: (lease: Lease) => Promise<void>;
  onFailed: (error: unknown) => void;
};

export class SharedQueue {
  readonly #parts: SharedQueueParts;
  readonly #queue: SlotQueue<SlotRequest, Lease>;
  readonly #told: PublishedQueue;
  #graceEndsAt: number;
  #isServing = false;
  #isToServeAgain = false;

  constructor(parts: SharedQueueParts) {
    this.#parts = parts;
    const { slots, self, clock, maxWaiting, graceMs } = parts;
    this.#graceEndsAt = clock.elapsed() + graceMs;
    this.#queue = new SlotQueue(clock, maxWaiting, () => this.#serve());
    this.#told = new PublishedQueue({
      depths: (kind) => this.#queue.depths(poolIfOf(kind)),
      tell: (line, { waiting, oldestWaitMs }) =>
        slots.tellQueue(self, line, waiting, clock.now() - oldestWaitMs),
    });
  }

  async reserve(request: SlotRequest, options: ReserveOptions): Promise<Lease | null> {
    // Whoever waits already comes first.
    const first = this.#queue.length === 0 ? await this.#parts.grant(request) : null;
    return first ?? this.#wait(request, options);
  }

  /** A slot may have come free. */
  serve(): void {
    this.#queue.serve();
  }

  /** A worker has left: it may be on its way back. */
  beginGrace(): void {
    this.#graceEndsAt = this.#parts.clock.elapsed() + this.#parts.graceMs;
  }

  /** The others know nothing any more of who waits here. */
  forgetTold(): void {
    this.#told.forget();
  }

  close(): void {
    this.#queue.close();
  }

  async #wait(request: SlotRequest, options: ReserveOptions): Promise<Lease | null> {
    const { requirements } = request;
    const waitMs = await this.#patience(requirements, options);
    if (waitMs <= 0) return null;
    return this.#queue.wait(request, { ...options, waitMs, kind: kindOf(requirements) });
  }

  async #patience(
    requirements: Requirements,
    { waitMs, isUrgent = false }: ReserveOptions,
  ): Promise<number> {
    if (waitMs <= 0 || isUrgent) return waitMs;
    const { slots, clock } = this.#parts;
    if ((await slots.why(requirements)) !== NOBODY[requirements.kind]) return waitMs;
    return Math.min(waitMs, this.#graceEndsAt - clock.elapsed());
  }

  /** One round at a time, and one more for whatever happened meanwhile. */
  #serve(): void {
    this.#isToServeAgain = true;
    if (this.#isServing) return;
    this.#isServing = true;
    const serve = async () => {
      while (this.#isToServeAgain) {
        this.#isToServeAgain = false;
        await this.#serveRound();
      }
    };
    serve()
      .finally(() => (this.#isServing = false))
      .catch(this.#parts.onFailed);
  }

  async #serveRound(): Promise<void> {
    const { grant, free } = this.#parts;
    await this.#told.say();
    const lacking = new Set<string>();
    for (let waiter = this.#queue.next(lacking); waiter; waiter = this.#queue.next(lacking)) {
      const lease = await grant(waiter.request);
      if (!lease) lacking.add(waiter.kind);
      else if (!waiter.settle(lease)) await free(lease);
    }
    await this.#told.say();
  }
}
