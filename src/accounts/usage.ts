/*
 * An account's usage against its plan: live sessions, and minutes per calendar month (UTC).
 * A session's minutes run from its first frame to its end, or until now while it is live.
 */
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../errors.ts';
import type { UsageRecords } from '../records/sessions/usage.ts';
import type { Account } from './account.ts';
import { maxLive, planOf } from './limits.ts';

const MS_PER_MINUTE = 60_000;

export type MonthOfUse = {
  startedAt: number;
  /** Start of the next month. */
  endsAt: number;
  minutes: number;
};

/** Part of the request that opens a session. */
type Admission = {
  /** Enforced by the records in the transaction that inserts the session. */
  maxLive: number | null;
  /** Worker pool; null: the default pool. */
  pool: string | null;
  /** Early check. Throws 402 when the minutes are used up, 429 at the concurrency limit. */
  admit: () => Promise<void>;
};

export interface Usage {
  thisMonth(account: Pick<Account, 'id'>): Promise<MonthOfUse>;
  /** Number of sessions that are not completed. */
  live(account: Pick<Account, 'id'>): Promise<number>;
  /**
   * Throws if the plan has no overage and its minutes are used up: 402 for a session, 429 for a
   * list.
   */
  check(account: Pick<Account, 'id' | 'plan'>, target: 'session' | 'list'): Promise<void>;
  admission(account: Pick<Account, 'id' | 'plan' | 'pool'>): Admission;
}

export function accountUsage(records: UsageRecords, clock: Clock): Usage {
  const thisMonth = async ({ id }: Pick<Account, 'id'>): Promise<MonthOfUse> => {
    const now = clock.now();
    const { startedAt, endsAt } = monthOf(now);
    const ms = await records.between(id, { from: startedAt, to: now });
    return { startedAt, endsAt, minutes: ms / MS_PER_MINUTE };
  };
  const check: Usage['check'] = async (account, target) => {
    const { minutesPerMonth, hasOverage } = planOf(account);
    if (minutesPerMonth === null || hasOverage) return;
    if ((await thisMonth(account)).minutes < minutesPerMonth) return;
    throw new Fault(target === 'session' ? 'usage_exhausted' : 'usage_limit');
  };
  return {
    thisMonth,
    live: ({ id }) => records.live(id),
    check,
    admission(account) {
      const limit = maxLive(account);
      const admit = async () => {
        await check(account, 'session');
        if (limit === null || (await records.live(account.id)) < limit) return;
        throw new Fault('concurrency_limit');
      };
      return { maxLive: limit, pool: account.pool, admit };
    },
  };
}

function monthOf(now: number): { startedAt: number; endsAt: number } {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { startedAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
}
