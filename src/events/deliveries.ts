/*
 * Sends events to the webhooks that wait for them. What is to be sent, and how it went, is kept in the records: this holds only the tries
 * that are under way, so nothing is lost with the process. Each webhook has a lane of its own; a lane that is slow fills up by itself.
 *
 * A lane looks for due deliveries when an event was told, when a try of its own is over, and at every general look, which finds retries
 * and whatever another control plane has left.
 *
 * Closed by the app, before the records: tries that are under way get a moment, the others are given back.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { TypedEvents } from '#shared/typed-events.ts';
import type { DeliveryQueue, DueDelivery, Receiver } from '../records/delivery-queue.ts';
import { explain, type Post } from '../egress/post.ts';
import { judge, type Answer } from './retries.ts';
import { signedHeaders } from './signature.ts';

/** How long after an event was told its transaction is taken to be committed. */
const WAKE_MS = 50;
const LOOK_EVERY_MS = 1_000;
/** How long a try may take. */
const TRY_MS = 10_000;
/** How long a claim holds: longer than a try. */
const CLAIM_MS = 15_000;
/** How long closing waits for tries that are under way. */
const CLOSE_MS = 3_000;
/** How long events are kept. */
const KEEP_MS = 30 * 86_400_000;
const PURGE_EVERY_MS = 3_600_000;
/** Few enough that nobody waits for it. */
const PURGED_AT_ONCE = 1_000;

/** Tries at once: of one webhook, of one whose last try failed, and of all. */
const MAX_OF_WEBHOOK = 10;
const MAX_OF_FAILING = 1;
const MAX_OF_ALL = 500;

export type DeliveriesParts = {
  queue: DeliveryQueue;
  post: Post;
  clock: Clock;
  log: Log;
  /** Gives 0..1. */
  random: () => number;
  userAgent: string;
  events: DeliveryEvents;
};

/** How a try went: `retry`, it failed and is made again later. */
export const DELIVERY_RESULTS = ['delivered', 'retry', 'failed'] as const;
export type DeliveryEvents = TypedEvents<{
  'delivery.tried': { result: (typeof DELIVERY_RESULTS)[number] };
}>;

/** `underWay`: ids of deliveries that are being tried. */
type Lane = { underWay: Set<string>; isLooking: boolean; mustLookAgain: boolean };

export class Deliveries {
  readonly #parts: DeliveriesParts;
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that found no room among all tries. */
  readonly #crowdedOut = new Set<string>();
  readonly #told = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  #underWay = 0;
  #purgeAt = 0;
  #isClosed = false;
  #cancelLook: () => void = () => {};
  #cancelWake: (() => void) | null = null;

  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#run(() => this.#keepLooking());
  }

  /** These webhooks have something to get, as soon as the transaction that says so is committed. */
  wake(webhookIds: string[]): void {
    if (this.#isClosed) return;
    for (const id of webhookIds) this.#told.add(id);
    this.#cancelWake ??= this.#parts.clock.after(WAKE_MS, () => {
      this.#cancelWake = null;
      const told = [...this.#told];
      this.#told.clear();
      for (const id of told) this.#serve(id);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelLook();
    this.#cancelWake?.();
    const cancel = this.#parts.clock.after(CLOSE_MS, () => this.#abort.abort());
    // Whoever looks may still begin a last try.
    while (this.#running.size > 0) await Promise.all(this.#running);
    cancel();
  }

  async #keepLooking(): Promise<void> {
    try {
      await this.#look();
    } finally {
      if (!this.#isClosed) {
        this.#cancelLook = this.#parts.clock.after(LOOK_EVERY_MS, () => this.start());
      }
    }
  }

  async #look(): Promise<void> {
    const { queue, clock } = this.#parts;
    const now = clock.now();
    for (const id of await queue.waiting(now)) this.#serve(id);
    if (now < this.#purgeAt) return;
    const purged = await queue.purge(now - KEEP_MS, PURGED_AT_ONCE);
    if (purged < PURGED_AT_ONCE) this.#purgeAt = now + PURGE_EVERY_MS;
  }

  #serve(webhookId: string): void {
    if (this.#isClosed) return;
    const lane = this.#lanes.get(webhookId) ?? newLane();
    this.#lanes.set(webhookId, lane);
    if (lane.isLooking) {
      lane.mustLookAgain = true;
      return;
    }
    lane.isLooking = true;
    this.#run(async () => {
      try {
        do {
          lane.mustLookAgain = false;
          await this.#fill(webhookId, lane);
        } while (lane.mustLookAgain && !this.#isClosed);
      } finally {
        lane.isLooking = false;
        if (lane.underWay.size === 0) this.#lanes.delete(webhookId);
      }
    });
  }

  /** Begins as many tries as there is room for. */
  async #fill(webhookId: string, lane: Lane): Promise<void> {
    const { queue, clock } = this.#parts;
    const receiver = await queue.receiver(webhookId);
    if (!receiver) return;
    const most = receiver.failingSince === null ? MAX_OF_WEBHOOK : MAX_OF_FAILING;
    const room = most - lane.underWay.size;
    if (room <= 0) return;
    for (const delivery of await queue.due(webhookId, clock.now(), room)) {
      if (this.#underWay >= MAX_OF_ALL) return void this.#crowdedOut.add(webhookId);
      // Asked for again while it is tried: that try counts.
      if (lane.underWay.has(delivery.id) || this.#isClosed) continue;
      this.#underWay += 1;
      lane.underWay.add(delivery.id);
      this.#run(async () => {
        try {
          await this.#try(delivery, receiver);
        } finally {
          this.#leave(delivery, lane);
        }
      });
    }
  }

  async #try(delivery: DueDelivery, receiver: Receiver): Promise<void> {
    const { queue, clock, log, random, events } = this.#parts;
    const { id: deliveryId, webhookId, eventId, attempts } = delivery;
    const claimed = await queue.claim(delivery, clock.now() + CLAIM_MS);
    if (!claimed) return;
    const answer = await this.#send(claimed, receiver);
    const now = clock.now();
    if (!answer) return queue.release(claimed, now);
    const { failingSince } = receiver;
    const outcome = judge(answer, { attempts, failingSince }, now, random());
    const isDisabled = await queue.settle(claimed, outcome, now);
    const { status, answerStatus, disable } = outcome;
    log.info({ webhookId, eventId, deliveryId, status, answerStatus }, 'webhook tried');
    events.emit('delivery.tried', { result: status === 'pending' ? 'retry' : status });
    if (isDisabled) log.warn({ webhookId, reason: disable }, 'webhook disabled');
  }

  /** Null when the try was broken off because the service closes. */
  async #send({ eventId, payload }: DueDelivery, receiver: Receiver): Promise<Answer | null> {
    const { post, clock, userAgent } = this.#parts;
    const tooLate = new AbortController();
    const cancel = clock.after(TRY_MS, () => tooLate.abort());
    const signal = AbortSignal.any([tooLate.signal, this.#abort.signal]);
    const signed = { id: eventId, at: clock.now(), body: payload };
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...signedHeaders(receiver.secret, signed),
    };
    try {
      return { status: await post({ url: receiver.url, headers, body: payload, signal }) };
    } catch (error) {
      if (this.#abort.signal.aborted) return null;
      if (tooLate.signal.aborted) return { error: `No answer within ${TRY_MS / 1000} s.` };
      return { error: explain(error) };
    } finally {
      cancel();
    }
  }

  /** There is room again: for what waits behind it in the lane, else for a lane that found none. */
  #leave({ id, webhookId }: DueDelivery, lane: Lane): void {
    this.#underWay -= 1;
    lane.underWay.delete(id);
    const [next] = this.#crowdedOut;
    if (next !== undefined) this.#crowdedOut.delete(next);
    for (const wanting of [next, webhookId]) if (wanting !== undefined) this.#serve(wanting);
  }

  /** The records may be away for a while: the next general look tries again. */
  #run(work: () => Promise<void>): void {
    const running = work()
      .catch((err: unknown) => this.#parts.log.error({ err }, 'webhooks not served'))
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}

const newLane = (): Lane => ({
  underWay: new Set(),
  isLooking: false,
  mustLookAgain: false,
});
