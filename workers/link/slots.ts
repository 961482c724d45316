/*
 * The sessions that this worker performs.
 *
 * A session is held from the accepted assignment until its performance is closed. While held it is
 * performing  it counts against the slots      -> leaving on `end`, on its own end
 * leaving     it leaves the room; the gateway has given its slot away, so it does not count
 * Dropped sessions are closed in the background and never spoken of again.
 *
 * Slots owns the performances and the outbox, not the link: close Slots first, then the link.
 */
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#shared/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { Assign, End } from '#protocol/gateway-messages.ts';
import type { Placement } from '#protocol/worker-messages.ts';
import type { ControlLink, Order } from './control-link.ts';
import { Outbox } from './outbox.ts';
import type { Perform, Performance } from './performance.ts';

type Held = {
  placement: Placement;
  performance: Performance;
  isLeaving: boolean;
  /** The newest that the room gave; null: the assignment's is the best one. */
  renewedToken: string | null;
};

export type SlotsOptions = {
  link: ControlLink;
  perform: Perform;
  clock: Clock;
  log: Log;
  /** Share of frames that left late since the last call, 0..1. */
  lateFrames?: () => number;
  loadEveryMs?: number;
  resendMs?: number;
};

export class Slots {
  readonly #link: ControlLink;
  readonly #perform: Perform;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #lateFrames: () => number;
  readonly #loadEveryMs: number;
  readonly #outbox: Outbox;
  readonly #held = new Map<string, Held>();
  readonly #closing = new Set<Promise<void>>();
  readonly #drained = Promise.withResolvers<void>();
  #isDraining = false;
  #isClosed = false;
  #cancelLoad: () => void = () => {};

  constructor({ link, perform, clock, log, lateFrames, loadEveryMs, resendMs }: SlotsOptions) {
    this.#link = link;
    this.#perform = perform;
    this.#clock = clock;
    this.#log = log;
    this.#lateFrames = lateFrames ?? (() => 0);
    this.#loadEveryMs = loadEveryMs ?? 5_000;
    this.#outbox = new Outbox({
      clock,
      send: (report) => link.send(report),
      ...(resendMs === undefined ? {} : { resendMs }),
    });
  }

  /** Connects the link: from now on sessions are taken. */
  open(): void {
    this.#link.open({
      performing: () => this.#placements(),
      opened: () => {
        this.#sendLoad();
        this.#outbox.sendAll();
        for (const held of this.#held.values()) this.#sendRenewed(held);
      },
      received: (order) => this.#receive(order),
    });
  }

  /** Sessions that count against the slots. */
  get performing(): number {
    return [...this.#held.values()].filter((held) => !held.isLeaving).length;
  }

  /** Resolves when a drain, asked for here or by the gateway, is over: nothing is performed, everything is acknowledged. */
  get drained(): Promise<void> {
    return this.#drained.promise;
  }

  /** Take nothing new; what runs goes on to its own end. */
  drain(): void {
    if (this.#isDraining) return;
    this.#isDraining = true;
    this.#log.info({ performing: this.performing }, 'draining');
    this.#sendLoad();
    void this.#finishDrain();
  }

  /** Ends what runs and waits until all of it is gone and, for up to `waitMs`, recorded. */
  async endAll(reason: EndReason, waitMs: number): Promise<void> {
    this.drain();
    for (const held of this.#held.values()) this.#leave(held, reason);
    await this.#empty();
    await this.#outbox.emptied(waitMs);
  }

  /** Drops what still runs: when the link closes after this, the control plane places it elsewhere. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#isDraining = true;
    this.#cancelLoad();
    for (const held of this.#held.values()) this.#drop(held);
    await this.#empty();
    this.#outbox.close();
  }

  #receive(order: Order): void {
    switch (order.type) {
      case 'assign':
        return this.#assign(order);
      case 'end':
        return this.#end(order);
      case 'drop': {
        this.#outbox.forget(order.placement);
        const held = this.#find(order.placement);
        if (held) this.#drop(held);
        return;
      }
      case 'drain':
        return this.drain();
      case 'ack':
        return this.#outbox.acknowledge(order.id);
    }
  }

  #assign(assign: Assign): void {
    const { placement } = assign;
    const held = this.#held.get(placement.sessionId);
    if (held?.placement.epoch === placement.epoch || this.#outbox.hasEnd(placement)) {
      // The answer was lost on the way: the session is performed once and answered twice.
      this.#link.send({ type: 'accepted', placement });
      return;
    }
    if (held && held.placement.epoch > placement.epoch) return this.#refuse(placement, 'old epoch');
    if (held) this.#drop(held);
    if (this.#isDraining) return this.#refuse(placement, 'draining');
    if (this.performing >= this.#link.facts.slots) return this.#refuse(placement, 'full');

    try {
      this.#hold(
        placement,
        this.#perform(assign, (token) => this.#renewed(placement, token)),
      );
    } catch (error) {
      this.#log.error({ ...placement, err: error }, 'assignment refused');
      return this.#refuse(placement, 'not performable');
    }
    this.#link.send({ type: 'accepted', placement });
    this.#sendLoad();
  }

  #refuse(placement: Placement, why: string): void {
    this.#link.send({ type: 'refused', placement, why });
  }

  #hold(placement: Placement, performance: Performance): void {
    const held = { placement, performance, isLeaving: false, renewedToken: null };
    this.#held.set(placement.sessionId, held);
    this.#log.info(placement, 'session taken');
    const isHeld = () => this.#held.get(placement.sessionId) === held;

    performance.started.then(
      () => isHeld() && this.#outbox.started(placement),
      (error: unknown) => this.#log.error({ ...placement, err: error }, 'start failed'),
    );
    const over = performance.ended.then(
      (reason) => this.#over(held, reason),
      (error: unknown) => {
        this.#log.error({ ...placement, err: error }, 'performance failed');
        this.#over(held, 'worker_lost');
      },
    );
    void over;
  }

  #renewed(placement: Placement, token: string): void {
    const held = this.#find(placement);
    if (!held) return;
    held.renewedToken = token;
    this.#sendRenewed(held);
  }

  #sendRenewed({ placement, renewedToken: token }: Held): void {
    if (token !== null) this.#link.send({ type: 'renewed', placement, token });
  }

  #end({ placement, reason }: End): void {
    const held = this.#find(placement);
    if (held) this.#leave(held, reason);
    else this.#outbox.ended(placement, reason);
  }

  #leave(held: Held, reason: EndReason): void {
    held.isLeaving = true;
    held.performance.end(reason);
    this.#sendLoad();
  }

  #over(held: Held, reason: EndReason): void {
    if (this.#held.get(held.placement.sessionId) !== held) return;
    this.#log.info({ ...held.placement, reason }, 'session over');
    this.#outbox.ended(held.placement, reason);
    this.#letGo(held);
  }

  #drop(held: Held): void {
    this.#log.info(held.placement, 'session dropped');
    held.performance.drop();
    this.#letGo(held);
  }

  #letGo(held: Held): void {
    this.#held.delete(held.placement.sessionId);
    const closing = held.performance
      .close()
      .catch((error: unknown) => this.#log.error({ ...held.placement, err: error }, 'close failed'))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    this.#sendLoad();
  }

  #find(placement: Placement): Held | undefined {
    const held = this.#held.get(placement.sessionId);
    return held?.placement.epoch === placement.epoch ? held : undefined;
  }

  /** An end that the gateway has not acknowledged is still named: else it would take the session for lost and place it again. */
  #placements(): Placement[] {
    const held = [...this.#held.values()].map(({ placement }) => placement);
    return [...held, ...this.#outbox.endsWaiting()];
  }

  async #finishDrain(): Promise<void> {
    await this.#empty();
    while (!(await this.#outbox.emptied(60_000)) && !this.#isClosed);
    this.#drained.resolve();
  }

  /** Until nothing is performed and everything that was is closed. */
  async #empty(): Promise<void> {
    while (this.#held.size > 0 || this.#closing.size > 0) {
      await Promise.allSettled([
        ...this.#closing,
        ...[...this.#held.values()].map((held) => held.performance.ended),
      ]);
    }
  }

  #sendLoad(): void {
    this.#cancelLoad();
    if (this.#isClosed) return;
    this.#link.send({
      type: 'load',
      performing: this.performing,
      lateFrames: this.#lateFrames(),
      draining: this.#isDraining,
    });
    this.#cancelLoad = this.#clock.after(this.#loadEveryMs, () => this.#sendLoad());
  }
}
