/*
 * Sends queued events to webhooks. The queue and all outcomes are in the records; this holds only
 * the running attempts, so a killed process loses nothing. Each webhook has its own lane, so a slow
 * one does not delay the others.
 *
 * A lane looks for due deliveries after a new event, after each of its attempts, and at every poll,
 * which also finds retries and deliveries left by another control plane.
 *
 * Closed by the app before the records. Running attempts get a moment to finish; then they are
 * aborted and their claims released.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { endRound, requestRound, type Rounds } from '#shared/rounds.ts';
import type { TypedEvents } from '#shared/typed-events.ts';
import type { DeliveryQueue, DueDelivery, Receiver } from '../records/webhooks/delivery-queue.ts';
import { explain, type Post } from '../egress/post.ts';
import { outcomeOf, type Answer } from './retries.ts';
import { signedHeaders } from './signature.ts';

/** Time for the transaction of a new event to commit. */
const WAKE_MS = 50;
const POLL_EVERY_MS = 1_000;
const ATTEMPT_TIMEOUT_MS = 10_000;
/** Longer than an attempt. */
const CLAIM_MS = 15_000;
/** Time for running attempts to finish on close. */
const CLOSE_MS = 3_000;

/** Concurrent attempts per webhook, per webhook whose last attempt failed, and in all. */
const MAX_PER_WEBHOOK = 10;
const MAX_PER_FAILING_WEBHOOK = 1;
const MAX_TOTAL = 500;

type DeliveriesParts = {
  queue: DeliveryQueue;
  post: Post;
  clock: Clock;
  log: Log;
  /** Gives 0..1. */
  random: () => number;
  userAgent: string;
  events: DeliveryEvents;
};

/** Outcome of an attempt; `retry`: failed, to be attempted again. */
export const DELIVERY_RESULTS = ['delivered', 'retry', 'failed'] as const;
export type DeliveryEvents = TypedEvents<{
  'delivery.tried': { result: (typeof DELIVERY_RESULTS)[number] };
}>;

/** `running`: ids of the deliveries being attempted. */
type Lane = { running: Set<string>; fills: Rounds };

export class Deliveries {
  readonly #parts: DeliveriesParts;
  readonly #lanes = new Map<string, Lane>();
  /** Webhooks whose lanes wait for `MAX_TOTAL`. */
  readonly #blocked = new Set<string>();
  /** Webhooks with a new event. */
  readonly #woken = new Set<string>();
  readonly #tasks = new Set<Promise<void>>();
  readonly #abort = new AbortController();
  #attempts = 0;
  #isClosed = false;
  #cancelPoll: () => void = () => {};
  #cancelWake: (() => void) | null = null;

  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#run(() => this.#pollAndSchedule());
  }

  /** Call with the webhooks of a new event, before its transaction commits. */
  wake(webhookIds: string[]): void {
    if (this.#isClosed) return;
    for (const id of webhookIds) this.#woken.add(id);
    this.#cancelWake ??= this.#parts.clock.after(WAKE_MS, () => {
      this.#cancelWake = null;
      const woken = [...this.#woken];
      this.#woken.clear();
      for (const id of woken) this.#serve(id);
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelPoll();
    this.#cancelWake?.();
    const cancel = this.#parts.clock.after(CLOSE_MS, () => this.#abort.abort());
    // A lane that is being filled may still start an attempt.
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
    cancel();
  }

  async #pollAndSchedule(): Promise<void> {
    try {
      await this.#poll();
    } finally {
      if (!this.#isClosed) {
        this.#cancelPoll = this.#parts.clock.after(POLL_EVERY_MS, () => this.start());
      }
    }
  }

  async #poll(): Promise<void> {
    const { queue, clock } = this.#parts;
    for (const id of await queue.waiting(clock.now())) this.#serve(id);
  }

  #serve(webhookId: string): void {
    if (this.#isClosed) return;
    const lane = this.#lanes.get(webhookId) ?? newLane();
    this.#lanes.set(webhookId, lane);
    const isIdle = lane.fills === 'idle';
    lane.fills = requestRound(lane.fills);
    if (!isIdle) return;
    this.#run(async () => {
      try {
        do {
          await this.#fill(webhookId, lane);
          lane.fills = endRound(lane.fills);
        } while (lane.fills !== 'idle' && !this.#isClosed);
      } finally {
        lane.fills = 'idle';
        if (lane.running.size === 0) this.#lanes.delete(webhookId);
      }
    });
  }

  /** Starts as many attempts as the limits allow. */
  async #fill(webhookId: string, lane: Lane): Promise<void> {
    const { queue, clock } = this.#parts;
    const receiver = await queue.receiver(webhookId, clock.now());
    if (!receiver) return;
    const max = receiver.failingSince === null ? MAX_PER_WEBHOOK : MAX_PER_FAILING_WEBHOOK;
    const free = max - lane.running.size;
    if (free <= 0) return;
    for (const delivery of await queue.due(webhookId, clock.now(), free)) {
      if (this.#attempts >= MAX_TOTAL) return void this.#blocked.add(webhookId);
      // A client requested the delivery again while it runs.
      if (lane.running.has(delivery.id) || this.#isClosed) continue;
      this.#attempts += 1;
      lane.running.add(delivery.id);
      this.#run(async () => {
        try {
          await this.#attempt(delivery, receiver);
        } finally {
          this.#free(delivery, lane);
        }
      });
    }
  }

  async #attempt(delivery: DueDelivery, receiver: Receiver): Promise<void> {
    const { queue, clock, log, random, events } = this.#parts;
    const { id: deliveryId, webhookId, eventId, attempts } = delivery;
    const claimed = await queue.claim(delivery, clock.now() + CLAIM_MS);
    if (!claimed) return;
    const answer = await this.#send(claimed, receiver);
    const now = clock.now();
    if (!answer) return queue.release(claimed, now);
    const { failingSince } = receiver;
    const outcome = outcomeOf(answer, { attempts, failingSince }, now, random());
    const disabledReason = await queue.settle(claimed, outcome, now);
    const { status, answerStatus } = outcome;
    log.info(
      { webhookId, eventId, deliveryId, status, answerStatus },
      'webhook delivery attempted',
    );
    events.emit('delivery.tried', { result: status === 'pending' ? 'retry' : status });
    if (disabledReason) log.warn({ webhookId, reason: disabledReason }, 'webhook disabled');
  }

  /** Null if `close` aborted the attempt. */
  async #send({ eventId, payload }: DueDelivery, receiver: Receiver): Promise<Answer | null> {
    const { post, clock, userAgent } = this.#parts;
    const tooLate = new AbortController();
    const cancel = clock.after(ATTEMPT_TIMEOUT_MS, () => tooLate.abort());
    const signal = AbortSignal.any([tooLate.signal, this.#abort.signal]);
    const signed = { id: eventId, at: clock.now(), body: payload };
    const headers = {
      'content-type': 'application/json',
      'user-agent': userAgent,
      ...signedHeaders(receiver.secrets, signed),
    };
    try {
      return { status: await post({ url: receiver.url, headers, body: payload, signal }) };
    } catch (error) {
      if (this.#abort.signal.aborted) return null;
      if (tooLate.signal.aborted)
        return { error: `No answer within ${ATTEMPT_TIMEOUT_MS / 1000} s.` };
      return { error: explain(error) };
    } finally {
      cancel();
    }
  }

  /** Frees the attempt's place for a blocked lane and for its own. */
  #free({ id, webhookId }: DueDelivery, lane: Lane): void {
    this.#attempts -= 1;
    lane.running.delete(id);
    const [blockedWebhookId] = this.#blocked;
    if (blockedWebhookId !== undefined) this.#blocked.delete(blockedWebhookId);
    for (const waiting of [blockedWebhookId, webhookId])
      if (waiting !== undefined) this.#serve(waiting);
  }

  /** Errors are logged only: the records may be unavailable, and the next poll retries. */
  #run(work: () => Promise<void>): void {
    const task = work()
      .catch((err: unknown) => this.#parts.log.error({ err }, 'webhook delivery step failed'))
      .finally(() => this.#tasks.delete(task));
    this.#tasks.add(task);
  }
}

const newLane = (): Lane => ({ running: new Set(), fills: 'idle' });
