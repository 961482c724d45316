/*
 * The sessions that this worker performs.
 *
 * A session is held from the accepted assignment until its performance is closed. While held it is
 * performing  it counts against the slots      -> leaving on `end`, on its own end; released on `release`, when nobody speaks
 * leaving     it leaves the room; the gateway has given its slot away, so it does not count
 * released    as performing, but silent: it stays in the room until its successor takes its place there
 * Dropped sessions are closed in the background and never spoken of again.
 *
 * Slots owns the performances, the builds and the reports, not the link: close Slots first, then the link.
 */
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { Assign, End, Release } from '#protocol/gateway-messages.ts';
import type { Placement } from '#protocol/worker-messages.ts';
import { Beats } from './beats.ts';
import type { Builds } from './builds.ts';
import type { ControlLink, Order } from './control-link.ts';
import { Drain } from './drain.ts';
import { AssignedSession } from './assigned-session.ts';
import { LoadReports, type FrameTimes } from './load-reports.ts';
import { CannotPerform, type Perform } from './performance.ts';
import { Reports } from './reports.ts';

export type SlotsOptions = {
  link: ControlLink;
  perform: Perform;
  /** For a worker that builds avatars. */
  builds?: Builds;
  clock: Clock;
  log: Log;
  /** How frames kept time since the last call. */
  frames?: () => FrameTimes;
  /** How long a drain may take before what still runs is handed over. */
  drainMs: number;
  /** After so many sessions it drains as soon as it performs none; 0, as usual: never. */
  renewAfter?: number;
  loadEveryMs?: number;
  resendMs?: number;
};

export class Slots {
  readonly #link: ControlLink;
  readonly #perform: Perform;
  readonly #builds: Builds | null;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #load: LoadReports;
  readonly #beats: Beats;
  readonly #reports: Reports;
  readonly #held = new Map<string, AssignedSession>();
  readonly #closing = new Set<Promise<void>>();
  readonly #drain: Drain;
  readonly #renewAfter: number;
  #performedSoFar = 0;
  #isClosed = false;

  constructor({ link, perform, builds, clock, log, ...options }: SlotsOptions) {
    const { frames, drainMs, loadEveryMs, resendMs } = options;
    this.#link = link;
    this.#perform = perform;
    this.#renewAfter = options.renewAfter || Number.POSITIVE_INFINITY;
    this.#builds = builds ?? null;
    this.#clock = clock;
    this.#log = log;
    this.#drain = new Drain({ clock, limitMs: drainMs, onTimeUp: () => this.#handOver() });
    this.#reports = new Reports({ clock, send: (report) => link.send(report), resendMs });
    this.#load = new LoadReports({
      clock,
      send: (load) => link.send(load),
      frames,
      everyMs: loadEveryMs,
      performed: () => this.#performed(),
      drain: () => this.#drain,
    });
    const held = () => this.#held.values();
    this.#beats = new Beats({ clock, send: (beat) => link.send(beat), held });
  }

  /** Connects the link: from now on sessions are taken. */
  open(): void {
    this.#link.open({
      performing: () => this.#placements(),
      building: () => this.#builds?.placements ?? [],
      opened: () => {
        this.#beats.start(this.#link.beatEveryMs);
        this.#load.say();
        this.#reports.sendAll();
        this.#builds?.opened();
        for (const held of this.#held.values()) held.sayAll();
      },
      received: (order) => this.#receive(order),
    });
  }

  /** Sessions that count against the slots. */
  get performing(): number {
    return this.#performed().length;
  }

  /** Resolves when a drain, asked for here or by the gateway, is over: nothing is performed, everything is acknowledged; or there is no more time. */
  get drained(): Promise<void> {
    return this.#drain.over;
  }

  /** Take nothing new; what runs goes on to its own end, or to another worker when that takes too long. */
  drain(): void {
    if (this.#drain.isBegun) return;
    this.#drain.begin();
    this.#builds?.drain();
    this.#log.info({ performing: this.performing }, 'draining');
    this.#load.say();
    void this.#finishDrain();
  }

  /** Ends what runs and waits until all of it is gone and, for up to `waitMs`, recorded. What is being built is given up. */
  async endAll(reason: EndReason, waitMs: number): Promise<void> {
    this.drain();
    void this.#builds?.close();
    for (const held of this.#held.values()) this.#leave(held, reason);
    await this.#empty();
    await this.#reports.acknowledged(waitMs);
  }

  /** Drops what still runs: when the link closes after this, the control plane places it elsewhere. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#drain.close();
    this.#load.close();
    for (const held of this.#held.values()) this.#drop(held);
    await this.#builds?.close();
    await this.#empty();
    // Until nothing is performed any more: a worker that stops beating with sessions counts as silent.
    this.#beats.close();
    this.#reports.close();
  }

  #receive(order: Order): void {
    switch (order.type) {
      case 'assign':
        return this.#assign(order);
      case 'end':
        return this.#end(order);
      case 'release':
        this.#release(order).catch((error: unknown) =>
          this.#log.error({ ...order.placement, err: error }, 'release failed'),
        );
        return;
      case 'drop': {
        this.#reports.forget(order.placement);
        const held = this.#find(order.placement);
        if (held) this.#drop(held);
        return;
      }
      case 'build':
        return this.#builds?.begin(order);
      case 'drop_build':
        return this.#builds?.drop(order.placement);
      case 'drain':
        return this.drain();
      case 'ack':
        this.#reports.acknowledge(order.id);
        return this.#builds?.acknowledge(order.id);
    }
  }

  #assign(assign: Assign): void {
    const { placement } = assign;
    const held = this.#held.get(placement.sessionId);
    if (held?.placement.epoch === placement.epoch || this.#reports.hasEnd(placement)) {
      // The answer was lost on the way: the session is performed once and answered twice.
      this.#link.send({ type: 'accepted', placement });
      return;
    }
    if (held && held.placement.epoch > placement.epoch) return this.#refuse(placement, 'old epoch');
    if (held) this.#drop(held);
    if (this.#isClosed || this.#drain.isBegun) return this.#refuse(placement, 'draining');
    if (this.performing >= this.#link.facts.slots) return this.#refuse(placement, 'full');

    try {
      this.#hold(
        new AssignedSession(assign, this.#perform, {
          clock: this.#clock,
          send: (message) => this.#link.send(message),
          note: (message) => this.#link.keepsTimelines && this.#link.send(message),
        }),
      );
    } catch (error) {
      this.#log.error({ ...placement, err: error }, 'assignment refused');
      return this.#refuse(placement, 'not performable');
    }
    this.#link.send({ type: 'accepted', placement });
    this.#load.say();
  }

  #refuse(placement: Placement, why: string): void {
    this.#link.send({ type: 'refused', placement, why });
  }

  #hold(held: AssignedSession): void {
    const { placement, performance } = held;
    this.#held.set(placement.sessionId, held);
    this.#beats.taken();
    this.#log.info(placement, 'session taken');

    performance.started.then(
      () => this.#started(held),
      (error: unknown) => this.#log.error({ ...placement, err: error }, 'start failed'),
    );
    const over = performance.ended.then(
      (reason) => this.#over(held, reason),
      (error: unknown) => {
        if (error instanceof CannotPerform) return this.#giveBack(held, error);
        this.#log.error({ ...placement, err: error }, 'performance failed');
        this.#over(held, 'worker_lost');
      },
    );
    void over;
  }

  #started(held: AssignedSession): void {
    if (!this.#isHeld(held)) return;
    // It came before the first frame.
    held.sayNotes();
    this.#reports.started(held.placement);
  }

  async #release({ placement, withinMs }: Release): Promise<void> {
    const held = this.#find(placement);
    if (!held) return;
    const isInRoom = await held.release(withinMs);
    this.#log.info({ ...placement, isInRoom }, 'session released');
    if (!isInRoom && this.#isHeld(held)) this.#drop(held);
  }

  #end({ placement, reason }: End): void {
    const held = this.#find(placement);
    if (held) this.#leave(held, reason);
    else this.#reports.ended(placement, reason);
  }

  #leave(held: AssignedSession, reason: EndReason): void {
    held.isLeaving = true;
    held.performance.end(reason);
    this.#load.say();
  }

  #over(held: AssignedSession, reason: EndReason): void {
    if (!this.#isHeld(held)) return;
    this.#log.info({ ...held.placement, reason }, 'session over');
    // Its successor has come, and speaks for the session.
    const isHandedOver = held.isReleased && reason === 'replaced';
    held.sayNotes();
    if (!isHandedOver) this.#reports.ended(held.placement, reason, held.performance.endedEarlierMs);
    this.#letGo(held);
  }

  #giveBack(held: AssignedSession, error: CannotPerform): void {
    const { placement } = held;
    if (!this.#isHeld(held)) return;
    this.#log.error({ ...placement, err: error }, 'session given back');
    this.#refuse(placement, error.message);
    this.#letGo(held);
  }

  #performed(): Placement[] {
    const held = [...this.#held.values()].filter(({ isLeaving }) => !isLeaving);
    return held.map(({ placement }) => placement);
  }

  #drop(held: AssignedSession): void {
    this.#log.info(held.placement, 'session dropped');
    held.performance.drop();
    this.#letGo(held);
  }

  #letGo(held: AssignedSession): void {
    this.#held.delete(held.placement.sessionId);
    held.forget();
    const closing = held.performance
      .close()
      .catch((error: unknown) => this.#log.error({ ...held.placement, err: error }, 'close failed'))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
    this.#load.say();
    this.#performedSoFar += 1;
    if (this.#performedSoFar >= this.#renewAfter && this.#held.size === 0) this.drain();
  }

  #isHeld(held: AssignedSession): boolean {
    return this.#held.get(held.placement.sessionId) === held;
  }

  #find(placement: Placement): AssignedSession | undefined {
    const held = this.#held.get(placement.sessionId);
    return held?.placement.epoch === placement.epoch ? held : undefined;
  }

  /** An end that the gateway has not acknowledged is still named: else it would take the session for lost and place it again. */
  #placements(): Placement[] {
    const held = [...this.#held.values()].map(({ placement }) => placement);
    return [...held, ...this.#reports.ends];
  }

  async #finishDrain(): Promise<void> {
    await this.#empty();
    while (!(await this.#reports.acknowledged(60_000)) && !this.#isClosed);
    while (this.#builds && !(await this.#builds.finished(60_000)) && !this.#isClosed);
    this.#drain.end();
  }

  #handOver(): void {
    this.#log.info({ performing: this.performing }, 'handing over what still runs');
    this.#load.say();
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
}
