/*
 * What an account uses, and whether it may use more: sessions at once, and minutes by calendar month (UTC). Minutes are the time from a
 * session's first frame to its end, or until now while it goes on.
 */
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../errors.ts';
import type { UsageRecords } from '../records/sessions/usage.ts';
import type { Account } from './account.ts';
import { maxLive, planOf } from './limits.ts';

const MS_PER_MINUTE = 60_000;

export type MonthOfUse = {
  startedAt: number;
  /** When the next month begins. */
  endsAt: number;
  minutes: number;
};

/** Spread into the request that opens a session. */
export type Admission = {
  /** Kept exactly by the records, when the session is written. */
  maxLive: number | null;
  /** Whose workers perform it; null: the usual ones. */
  pool: string | null;
  /** Throws what can be known before: 402 without minutes, 429 when as many sessions are live as may be. */
  admit: () => Promise<void>;
};

export interface Usage {
  /** The month that is now. */
  thisMonth(account: Pick<Account, 'id'>): Promise<MonthOfUse>;
  /** How many of its sessions are not completed. */
  live(account: Pick<Account, 'id'>): Promise<number>;
  /** Throws when the plan's minutes are used up and it has no overage: 402 for what would use more, 429 for the list. */
  check(account: Pick<Account, 'id' | 'plan'>, what: 'session' | 'list'): Promise<void>;
  /** What a session of this account must pass. */
  admission(account: Pick<Account, 'id' | 'plan' | 'pool'>): Admission;
}

export function accountUsage(records: UsageRecords, clock: Clock): Usage {
  const thisMonth = async ({ id }: Pick<Account, 'id'>): Promise<MonthOfUse> => {
    const now = clock.now();
    const { startedAt, endsAt } = monthOf(now);
    const ms = await records.between(id, { from: startedAt, to: now });
    return { startedAt, endsAt, minutes: ms / MS_PER_MINUTE };
  };
  const check: Usage['check'] = async (account, what) => {
    const { minutesPerMonth, hasOverage } = planOf(account);
    if (minutesPerMonth === null || hasOverage) return;
    if ((await thisMonth(account)).minutes < minutesPerMonth) return;
    throw new Fault(what === 'session' ? 'usage_exhausted' : 'usage_limit');
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
