/*
 * Looks at open sessions of outside services when they are due, and settles those whose state is
 * unknown. All control planes share the work through the records, so a restart resumes it. The app
 * closes it before the records.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { endRound, requestRound, type Rounds } from '#shared/rounds.ts';
import type { OutsideSession } from '../records/overflow/outside-session.ts';
import type { OutsideSessionRecords } from '../records/overflow/outside-sessions.ts';
import type { OverflowTarget } from '../records/overflow/overflows.ts';
import type { OutsideEvent } from './advance-outside.ts';
import type { OutsideAnswer, OutsideService } from './outside-service.ts';
import { nameOf, type OutsideSessions } from './outside-sessions.ts';
import type { OverflowPools } from './overflow-pools.ts';

type OutsideWatchParts = {
  records: Pick<OutsideSessionRecords, 'due' | 'nextDueAt' | 'removeClosed'>;
  sessions: Pick<OutsideSessions, 'apply' | 'claim' | 'release'>;
  service: Pick<OutsideService, 'retrieve' | 'find' | 'end'>;
  pools: Pick<OverflowPools, 'refresh' | 'target' | 'failed' | 'succeeded'>;
  clock: Clock;
  log: Log;
};

/** How soon changes of other control planes are noticed. */
const LOOK_EVERY_MS = 2_000;
const SHORTEST_MS = 50;
const CLEAN_EVERY_MS = 3_600_000;
/** Closed sessions stay for longer than the longest period. */
const KEPT_MS = 92 * 86_400_000;
const AT_ONCE = 100;

export class OutsideWatch {
  readonly #parts: OutsideWatchParts;
  readonly #looks = new Map<string, Promise<void>>();
  #rounds: Rounds = 'idle';
  #refreshAt = 0;
  #cleanAt = 0;
  #working: Promise<void> = Promise.resolve();
  #cancelTimer: () => void = () => {};
  #isClosed = false;

  constructor(parts: OutsideWatchParts) {
    this.#parts = parts;
  }

  /** Looks now. Also starts the watch. */
  wake(): void {
    if (this.#isClosed) return;
    const isIdle = this.#rounds === 'idle';
    this.#rounds = requestRound(this.#rounds);
    if (isIdle) this.#working = this.#runRounds();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer();
    await this.#working;
    await Promise.all(this.#looks.values());
  }

  async #runRounds(): Promise<void> {
    const { clock, log } = this.#parts;
    this.#cancelTimer();
    let pauseMs = LOOK_EVERY_MS;
    do {
      pauseMs = await this.#round().catch((err: unknown) => {
        log.warn({ err }, 'outside sessions not looked at');
        return LOOK_EVERY_MS;
      });
      this.#rounds = endRound(this.#rounds);
    } while (this.#rounds !== 'idle' && !this.#isClosed);
    this.#rounds = 'idle';
    if (!this.#isClosed) this.#cancelTimer = clock.after(pauseMs, () => this.wake());
  }

  /** Returns the pause until the next round. */
  async #round(): Promise<number> {
    const { records, pools, clock } = this.#parts;
    if (clock.elapsed() >= this.#refreshAt) {
      this.#refreshAt = clock.elapsed() + LOOK_EVERY_MS;
      await pools.refresh();
    }
    if (clock.elapsed() >= this.#cleanAt) {
      this.#cleanAt = clock.elapsed() + CLEAN_EVERY_MS;
      await records.removeClosed(clock.now() - KEPT_MS);
    }
    for (const session of await records.due(clock.now(), AT_ONCE)) this.#start(session);
    const nextDueAt = await records.nextDueAt();
    if (nextDueAt === null) return LOOK_EVERY_MS;
    return Math.min(LOOK_EVERY_MS, Math.max(SHORTEST_MS, nextDueAt - clock.now()));
  }

  /** Not awaited by the round: one slow provider does not delay the others. */
  #start(session: OutsideSession): void {
    const { log } = this.#parts;
    const name = nameOf(session);
    if (this.#isClosed || this.#looks.has(name) || this.#looks.size >= AT_ONCE) return;
    const look = this.#look(session)
      .catch((err: unknown) => {
        const { sessionId } = session;
        log.warn({ sessionId, err }, 'outside session not settled');
      })
      .finally(() => this.#looks.delete(name));
    this.#looks.set(name, look);
  }

  async #look(session: OutsideSession): Promise<void> {
    const { sessions, pools, clock } = this.#parts;
    const target = pools.target(session.pool);
    if (!target) return;
    const claimed = await sessions.claim(session);
    if (!claimed) return;
    const answer = await this.#ask(target, claimed);
    // Aborted: the next start, or another control plane, looks again.
    if (this.#isClosed) return sessions.release(claimed);
    if (answer?.type === 'silent') pools.failed(session.pool, answer.problem);
    if (answer?.type === 'seen') pools.succeeded(session.pool);
    await sessions.apply(session, eventOf(answer, clock.now()));
    this.wake();
  }

  /** Null: there is nothing to ask. */
  async #ask(target: OverflowTarget, session: OutsideSession): Promise<OutsideAnswer | null> {
    const { service } = this.#parts;
    const { state, reservedAt } = session;
    switch (state.type) {
      case 'reserved':
      case 'closed':
        return null;
      case 'creating':
        return service.find(target, nameOf(session), reservedAt);
      case 'waiting':
      case 'showing':
        return service.retrieve(target, state.outsideId);
      case 'ending':
        return state.outsideId === null
          ? service.find(target, nameOf(session), reservedAt)
          : service.end(target, state.outsideId);
    }
  }
}

function eventOf(answer: OutsideAnswer | null, at: number): OutsideEvent {
  if (answer === null) return { type: 'released' };
  switch (answer.type) {
    case 'seen':
      return { type: 'seen', at, session: answer.session };
    case 'absent':
      return { type: 'absent', at };
    case 'refused':
    case 'silent':
      return { type: 'silent', at };
  }
}
