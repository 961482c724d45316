import type { Log } from '#shared/log.ts';
import type { Placement } from '#protocol/placement.ts';
import type { AssignedSession } from './assigned-session.ts';

/**
 * The sessions assigned to this worker, and those that it is still closing. At most one
 * placement of each session is assigned.
 */
export class AssignedSessions {
  readonly #log: Log;
  readonly #sessions = new Map<string, AssignedSession>();
  readonly #closing = new Set<Promise<void>>();

  constructor(log: Log) {
    this.#log = log;
  }

  get size(): number {
    return this.#sessions.size;
  }

  get all(): AssignedSession[] {
    return [...this.#sessions.values()];
  }

  get placements(): Placement[] {
    return this.all.map(({ placement }) => placement);
  }

  /** Placements that occupy a slot. */
  get performing(): Placement[] {
    const performing = this.all.filter(({ isLeaving }) => !isLeaving);
    return performing.map(({ placement }) => placement);
  }

  add(session: AssignedSession): void {
    this.#sessions.set(session.placement.sessionId, session);
  }

  has(session: AssignedSession): boolean {
    return this.#sessions.get(session.placement.sessionId) === session;
  }

  /** Any placement of the session. */
  get(sessionId: string): AssignedSession | undefined {
    return this.#sessions.get(sessionId);
  }

  find(placement: Placement): AssignedSession | undefined {
    const session = this.#sessions.get(placement.sessionId);
    return session?.placement.epoch === placement.epoch ? session : undefined;
  }

  /** Forgets the session at once and closes it in the background. */
  remove(session: AssignedSession): void {
    const { placement } = session;
    this.#sessions.delete(placement.sessionId);
    session.forget();
    const closing = session.performance
      .close()
      .catch((err: unknown) => this.#log.error({ ...placement, err }, 'session not closed cleanly'))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  /** Resolves when all sessions have ended and are closed. */
  async empty(): Promise<void> {
    while (this.#sessions.size > 0 || this.#closing.size > 0) {
      await Promise.allSettled([
        ...this.#closing,
        ...this.all.map((session) => session.performance.ended),
      ]);
    }
  }
}
