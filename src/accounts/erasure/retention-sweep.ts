/*
 * Deletes data that is older than its retention, once an hour, in batches with pauses between them,
 * so that no request waits. Every control plane does so; deleting the same rows twice is harmless.
 * Close it before the records.
 */
import { delay, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { AccountLists } from '../../records/accounts/account-lists.ts';
import type { AccountRecord } from '../../records/accounts/accounts.ts';
import type { RetentionDays } from '../../records/engine/tables/account-columns.ts';
import { addErased, totalOf, type Erased } from '../../records/erasure/erased.ts';
import {
  RETENTION_KINDS,
  type RetentionKind,
  type RetentionRecords,
} from '../../records/erasure/retention.ts';
import type { OutsideSessionRecords } from '../../records/overflow/outside-sessions.ts';
import { daysOf } from './retention-days.ts';

const EVERY_MS = 3_600_000;
/** Leaves the start to more important work. */
const FIRST_AFTER_MS = 60_000;
const BATCH = 200;
const PAUSE_MS = 50;
const ACCOUNTS_AT_ONCE = 50;
const DAY_MS = 86_400_000;
/** Sessions at outside services count towards a ceiling of a month at the longest. */
const OUTSIDE_KEPT_DAYS = 31;

type RetentionSweepParts = {
  retention: RetentionRecords;
  outsideSessions: Pick<OutsideSessionRecords, 'prune'>;
  accountLists: Pick<AccountLists, 'accounts'>;
  /** The installation's retention. */
  days: RetentionDays;
  clock: Clock;
  log: Log;
};

export class RetentionSweep {
  readonly #parts: RetentionSweepParts;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #cancel: () => void = () => {};
  /** `listed_at` of the last swept call or session, which stays, by kind and account. */
  readonly #sweptUpTo = new Map<string, number>();

  constructor(parts: RetentionSweepParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#schedule(FIRST_AFTER_MS);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#cancel();
    await this.#running;
  }

  #schedule(ms: number): void {
    this.#cancel = this.#parts.clock.after(ms, () => {
      this.#schedule(EVERY_MS);
      this.#running = this.#running.then(() => this.#sweep());
    });
  }

  async #sweep(): Promise<void> {
    const { retention, clock, log } = this.#parts;
    try {
      let erased: Erased = {};
      for await (const account of this.#accounts()) {
        for (const kind of RETENTION_KINDS) {
          erased = addErased(erased, await this.#sweepKind(account, kind));
        }
      }
      await this.#sweepOutside();
      await retention.sweepLeftovers(clock.now());
      if (totalOf(erased) > 0) log.info({ erased }, 'old data deleted');
    } catch (err) {
      if (!this.#stop.signal.aborted) log.error({ err }, 'old data not deleted');
    }
  }

  /** They stay as long as the sessions here that they were for. */
  async #sweepOutside(): Promise<void> {
    const { outsideSessions, clock } = this.#parts;
    const cutoff = clock.now() - OUTSIDE_KEPT_DAYS * DAY_MS;
    let cursor: string | null = '';
    for (;;) {
      cursor = await outsideSessions.prune({ cutoff, cursor, count: BATCH });
      if (cursor === null) return;
      await delay(clock, PAUSE_MS, this.#stop.signal);
    }
  }

  async *#accounts(): AsyncGenerator<AccountRecord> {
    let cursor: string | undefined;
    do {
      const page = await this.#parts.accountLists.accounts({ limit: ACCOUNTS_AT_ONCE, cursor });
      yield* page.data;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  async #sweepKind(account: AccountRecord, kind: RetentionKind): Promise<Erased> {
    const { retention, days: installation, clock } = this.#parts;
    const days = daysOf(kind, installation, account.retention);
    if (days === null) return {};
    const cutoff = clock.now() - days * DAY_MS;
    const place = `${kind} ${account.id}`;
    const keepsRows = kind === 'transcripts' || kind === 'timelines';
    let from = keepsRows ? (this.#sweptUpTo.get(place) ?? 0) : 0;
    let erased: Erased = {};
    for (;;) {
      const batch = {
        accountId: account.id,
        kind,
        before: cutoff,
        from,
        count: BATCH,
        now: clock.now(),
      };
      const swept = await retention.sweep(batch);
      erased = addErased(erased, swept.erased);
      if (swept.next === null) return erased;
      if (keepsRows) {
        from = swept.next;
        this.#sweptUpTo.set(place, from);
      }
      await delay(clock, PAUSE_MS, this.#stop.signal);
    }
  }
}
