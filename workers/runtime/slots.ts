import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { Assign, Drop, End, Release } from '#protocol/worker/gateway-messages.ts';
import type { Placement } from '#protocol/placement.ts';
import type { Ended, Started } from '#protocol/worker/worker-messages.ts';
import { Beats } from './reports/beats.ts';
import type { Builds } from './builds.ts';
import type { ControlLink, WorkMessage, WorkHandlers } from './control-link.ts';
import { Drain } from './drain.ts';
import { AssignedSession } from './sessions/assigned-session.ts';
import { AssignedSessions } from './sessions/assigned-sessions.ts';
import { LoadReports, type FrameTimes } from './reports/load-reports.ts';
import { CannotPerform, type Perform } from './performance.ts';
import { Reports } from './reports/reports.ts';

type SlotsOptions = {
  link: ControlLink;
  perform: Perform;
  /** For a worker that builds avatars. */
  builds?: Builds;
  /** Handlers of messages that only some workers handle. */
  handlers?: WorkHandlers;
  clock: Clock;
  log: Log;
  reports?: {
    /** Frame timing since the last call. */
    frames?: () => FrameTimes;
    loadEveryMs?: number;
    resendMs?: number | undefined;
  };
  drain: {
    /** How long a drain may take before the remaining sessions are handed over. */
    limitMs: number;
    /** The worker drains itself when idle after this many sessions. 0: never. */
    afterSessions?: number | undefined;
  };
};

/**
 * Performs the sessions that the gateway assigns, and reports on them. Owns the performances, the
 * builds and the reports, but not the link: close Slots first, then the link.
 */
export class Slots {
  readonly #link: ControlLink;
  readonly #perform: Perform;
  readonly #builds: Builds | null;
  readonly #handlers: WorkHandlers;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #load: LoadReports;
  readonly #beats: Beats;
  readonly #reports: Reports;
  readonly #sessions: AssignedSessions;
  readonly #drain: Drain;
  readonly #renewAfter: number;
  #removed = 0;
  #isClosed = false;

  constructor({ link, perform, builds, handlers, clock, log, reports, drain }: SlotsOptions) {
    this.#link = link;
    this.#perform = perform;
    this.#renewAfter = drain.afterSessions || Number.POSITIVE_INFINITY;
    this.#builds = builds ?? null;
    this.#clock = clock;
    this.#log = log;
    this.#sessions = new AssignedSessions(log);
    this.#drain = new Drain({ clock, limitMs: drain.limitMs, onTimeUp: () => this.#handOver() });
    this.#reports = new Reports({
      clock,
      send: (report) => link.send(link.takesBudgetEnds ? report : withoutBudget(report)),
      resendMs: reports?.resendMs,
    });
    this.#load = new LoadReports({
      clock,
      send: (load) => link.send(load),
      frames: reports?.frames,
      everyMs: reports?.loadEveryMs,
      performing: () => this.#sessions.performing,
      drain: () => this.#drain,
    });
    const sessions = () => this.#sessions.all;
    this.#beats = new Beats({ clock, send: (beat) => link.send(beat), sessions });
    this.#handlers = {
      assign: (message) => this.#assign(message),
      end: (message) => this.#end(message),
      release: (message) => void this.#release(message),
      drop: (message) => this.#forget(message),
      change_picture: ({ placement, ...change }) =>
        this.#sessions.find(placement)?.performance.changePicture?.(change),
      take_still: ({ placement }) => this.#sessions.find(placement)?.sendStill(),
      drain: () => this.drain(),
      set_log_level: ({ level }) => {
        log.level = level;
        log.info({ level }, 'log level set');
      },
      ack: ({ id }) => {
        this.#reports.acknowledge(id);
        builds?.acknowledge(id);
      },
      ...(builds && {
        build: (message) => builds.begin(message),
        drop_build: ({ placement }) => builds.drop(placement),
      }),
      ...handlers,
    };
  }

  /** Connects the link and starts to accept sessions. */
  open(): void {
    this.#link.open({
      // Unacknowledged ends are included: otherwise the gateway takes those sessions for lost and
      // places them again.
      performing: () => [...this.#sessions.placements, ...this.#reports.ends],
      building: () => this.#builds?.placements ?? [],
      opened: () => {
        this.#beats.start(this.#link.beatEveryMs);
        this.#load.send();
        this.#reports.sendAll();
        this.#builds?.opened();
        for (const session of this.#sessions.all) session.resend();
      },
      received: (message) => this.#receive(message),
    });
  }

  /** Number of occupied slots. */
  get performing(): number {
    return this.#sessions.performing.length;
  }

  /** Call when something in `frames` must not wait for the next report. */
  reportLoad(): void {
    this.#load.send();
  }

  /**
   * Resolves when a drain, begun here or by the gateway, is over: everything is finished and
   * acknowledged, or the time is up.
   */
  get drained(): Promise<void> {
    return this.#drain.ended;
  }

  /** Accepts nothing new. Running sessions finish, or are handed over when that takes too long. */
  drain(): void {
    if (this.#drain.hasBegun || this.#isClosed) return;
    this.#drain.begin();
    this.#builds?.drain();
    this.#log.info({ performing: this.performing }, 'draining');
    this.#load.send();
    void this.#finishDrain();
  }

  /**
   * Ends all sessions and aborts builds. Waits until the sessions are closed and, for up to
   * `waitMs`, their ends acknowledged.
   */
  async endAll(reason: EndReason, waitMs: number): Promise<void> {
    this.drain();
    void this.#builds?.close();
    for (const session of this.#sessions.all) this.#leave(session, reason);
    await this.#sessions.empty();
    await this.#reports.acknowledged(waitMs);
  }

  /** Drops running sessions. Once the link closes too, the control plane places them again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#drain.close();
    this.#load.close();
    for (const session of this.#sessions.all) this.#drop(session);
    await this.#builds?.close();
    await this.#sessions.empty();
    // Beats stop last: a worker with sessions that sends none counts as hung.
    this.#beats.close();
    this.#reports.close();
  }

  #receive(message: WorkMessage): void {
    const handle = this.#handlers[message.type] as ((message: WorkMessage) => void) | undefined;
    handle?.(message);
  }

  #assign(assign: Assign): void {
    const { placement } = assign;
    const current = this.#sessions.get(placement.sessionId);
    if (current?.placement.epoch === placement.epoch || this.#reports.hasEnd(placement)) {
      // The first answer was lost: perform once, answer again.
      this.#link.send({ type: 'accepted', placement });
      return;
    }
    if (current && current.placement.epoch > placement.epoch)
      return this.#refuse(placement, 'old epoch');
    if (current) this.#drop(current);
    if (this.#isClosed || this.#drain.hasBegun) return this.#refuse(placement, 'draining');
    if (this.performing >= this.#link.facts.slots) return this.#refuse(placement, 'full');

    try {
      this.#add(
        new AssignedSession(assign, this.#perform, {
          clock: this.#clock,
          send: (message) => this.#link.send(message),
          sendTimeline: (message) => this.#link.keepsTimelines && this.#link.send(message),
        }),
      );
    } catch (error) {
      this.#log.error({ ...placement, err: error }, 'assignment refused');
      return this.#refuse(placement, 'not performable');
    }
    this.#link.send({ type: 'accepted', placement });
    this.#load.send();
  }

  #refuse(placement: Placement, why: string): void {
    this.#link.send({ type: 'refused', placement, why });
  }

  #add(session: AssignedSession): void {
    const { placement, performance } = session;
    this.#sessions.add(session);
    this.#beats.sessionAdded();
    this.#log.info(placement, 'session accepted');

    performance.started.then(
      () => this.#started(session),
      (err: unknown) => this.#log.error({ ...placement, err }, 'session start failed'),
    );
    const ended = performance.ended.then(
      (reason) => this.#ended(session, reason),
      (err: unknown) => {
        if (err instanceof CannotPerform) return this.#return(session, err);
        this.#log.error({ ...placement, err }, 'session failed');
        this.#ended(session, 'worker_lost');
      },
    );
    void ended;
  }

  #started(session: AssignedSession): void {
    if (!this.#sessions.has(session)) return;
    session.flushTimeline();
    this.#reports.started(session.placement);
  }

  async #release({ placement, withinMs }: Release): Promise<void> {
    const session = this.#sessions.find(placement);
    if (!session) return;
    try {
      const isInRoom = await session.release(withinMs);
      this.#log.info({ ...placement, isInRoom }, 'session released');
      if (!isInRoom && this.#sessions.has(session)) this.#drop(session);
    } catch (err) {
      this.#log.error({ ...placement, err }, 'session not released');
    }
  }

  #forget({ placement }: Drop): void {
    this.#reports.forget(placement);
    const session = this.#sessions.find(placement);
    if (session) this.#drop(session);
  }

  #end({ placement, reason }: End): void {
    const session = this.#sessions.find(placement);
    if (session) this.#leave(session, reason);
    else this.#reports.ended(placement, { reason });
  }

  #leave(session: AssignedSession, reason: EndReason): void {
    session.leave();
    session.performance.end(reason);
    this.#load.send();
  }

  #ended(session: AssignedSession, reason: EndReason): void {
    if (!this.#sessions.has(session)) return;
    const { placement, performance } = session;
    this.#log.info({ ...placement, reason }, 'session ended');
    // The successor has joined and reports for the session from now on.
    const isHandedOver = session.isReleased && reason === 'replaced';
    session.flushTimeline();
    if (!isHandedOver) {
      const { endedEarlierMs: agoMs, endDetail: detail } = performance;
      this.#reports.ended(placement, { reason, detail, agoMs });
    }
    this.#remove(session);
  }

  /** The gateway tries another worker. */
  #return(session: AssignedSession, error: CannotPerform): void {
    if (!this.#sessions.has(session)) return;
    this.#log.error({ ...session.placement, err: error }, 'session returned');
    this.#refuse(session.placement, error.message);
    this.#remove(session);
  }

  #drop(session: AssignedSession): void {
    this.#log.info(session.placement, 'session dropped');
    session.performance.drop();
    this.#remove(session);
  }

  #remove(session: AssignedSession): void {
    this.#sessions.remove(session);
    this.#load.send();
    this.#removed += 1;
    if (this.#removed >= this.#renewAfter && this.#sessions.size === 0) this.drain();
  }

  async #finishDrain(): Promise<void> {
    await this.#sessions.empty();
    while (!(await this.#reports.acknowledged(60_000)) && !this.#isClosed);
    while (this.#builds && !(await this.#builds.finished(60_000)) && !this.#isClosed);
    this.#drain.end();
  }

  #handOver(): void {
    this.#log.info({ performing: this.performing }, 'handing over the remaining sessions');
    this.#load.send();
  }
}

/** An older gateway closes the connection for a reason that it does not know. */
const withoutBudget = (report: Started | Ended): Started | Ended =>
  report.type === 'ended' && report.reason === 'budget_reached'
    ? { ...report, reason: 'time_limit' }
    : report;
