/*
 * Follows the sessions of an account. The records are asked every second, so it makes no difference
 * which control plane owns a session, and a returning follower gets what happened meanwhile.
 * Each look goes back `OVERLAP_MS`: clocks of control planes differ, and a row appears a moment
 * after its time. So a change may be sent twice, and is never missed.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { SessionFeed } from '../../records/sessions/session-feed.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';

export const LOOK_EVERY_MS = 1_000;
const OVERLAP_MS = 5_000;
/** A follower who missed more reads the lists again. */
export const MAX_MISSED = 200;
const MAX_MISSED_MS = 600_000;

type FollowedParts = {
  accountId: string;
  feed: SessionFeed;
  clock: Clock;
  log: Pick<Log, 'warn'>;
  /** `at`: where a returning follower continues. */
  onChange: (name: string, session: SessionRecord, at: number) => void;
  /** Too much was missed. */
  onReset: (at: number) => void;
};

const names = {
  to_start: 'session.created',
  ongoing: 'session.started',
  completed: 'session.ended',
} as const;

/** Close it when the follower leaves. */
export class SessionFollower {
  readonly #parts: FollowedParts;
  /** When each change was sent. */
  readonly #sent = new Map<string, number>();
  #from: number;
  #isClosed = false;
  #isLooking = false;
  #isWanted = false;
  /** The last look failed, and was logged. */
  #isAway = false;
  #cancel: () => void = () => {};

  /** `since`: where the follower left off; null: it begins now. */
  constructor(parts: FollowedParts, since: number | null) {
    this.#parts = parts;
    const now = parts.clock.now();
    // PostgreSQL knows no times as late as a client may name.
    this.#from = Math.min(since ?? now, now);
    if (this.#from < now - MAX_MISSED_MS) this.#reset(now);
  }

  /** Looks at once, and then every second. */
  look(): void {
    this.#isWanted = true;
    if (this.#isLooking || this.#isClosed) return;
    this.#cancel();
    this.#isLooking = true;
    void this.#lookWhileWanted().finally(() => {
      this.#isLooking = false;
      if (!this.#isClosed) {
        this.#cancel = this.#parts.clock.after(LOOK_EVERY_MS, () => this.look());
      }
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }

  async #lookWhileWanted(): Promise<void> {
    while (this.#isWanted && !this.#isClosed) {
      this.#isWanted = false;
      await this.#lookOnce();
    }
  }

  async #lookOnce(): Promise<void> {
    const { accountId, feed, clock, log, onChange } = this.#parts;
    const now = clock.now();
    try {
      const changed = await feed.since(accountId, this.#from - OVERLAP_MS, MAX_MISSED);
      this.#isAway = false;
      if (this.#isClosed) return;
      if (!changed) return this.#reset(now);
      for (const session of changed.toSorted((a, b) => timeOf(a) - timeOf(b))) {
        const key = `${session.id} ${session.status}`;
        if (this.#sent.has(key)) continue;
        this.#sent.set(key, now);
        onChange(names[session.status], session, now);
      }
      this.#from = now;
      for (const [key, at] of this.#sent) if (at < now - 4 * OVERLAP_MS) this.#sent.delete(key);
    } catch (err) {
      // While the records are away nothing is lost: the next look goes back as far.
      if (!this.#isAway) log.warn({ err }, 'changed sessions not read');
      this.#isAway = true;
    }
  }

  #reset(now: number): void {
    this.#from = now;
    this.#parts.onReset(now);
  }
}

const timeOf = ({ createdAt, startedAt, endedAt }: SessionRecord): number =>
  endedAt ?? startedAt ?? createdAt;
