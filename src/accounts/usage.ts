/* Minutes that were used, by calendar month (UTC): the time from a session's first frame to its end, or until now while it goes on. */
import type { Clock } from '#shared/clock.ts';
import { Fault } from '../errors.ts';
import type { UsageRecords } from '../records/usage.ts';
import type { Account } from './account.ts';
import { planOf } from './limits.ts';

const MS_PER_MINUTE = 60_000;

export type MonthOfUse = {
  startedAt: number;
  /** When the next month begins. */
  endsAt: number;
  minutes: number;
};

export interface Usage {
  /** The month that is now. */
  thisMonth(account: Pick<Account, 'id'>): Promise<MonthOfUse>;
  /** Throws when the plan's minutes are used up and it has no overage: 402 for what would use more, 429 for the list. */
  check(account: Pick<Account, 'id' | 'plan'>, what: 'session' | 'list'): Promise<void>;
}

export function accountUsage(records: UsageRecords, clock: Clock): Usage {
  const thisMonth = async ({ id }: Pick<Account, 'id'>): Promise<MonthOfUse> => {
    const now = clock.now();
    const { startedAt, endsAt } = monthOf(now);
    const ms = await records.between(id, { from: startedAt, to: now });
    return { startedAt, endsAt, minutes: ms / MS_PER_MINUTE };
  };
  return {
    thisMonth,
    async check(account, what) {
      const { minutesPerMonth, hasOverage } = planOf(account);
      if (minutesPerMonth === null || hasOverage) return;
      if ((await thisMonth(account)).minutes < minutesPerMonth) return;
      throw new Fault(what === 'session' ? 'usage_exhausted' : 'usage_limit');
    },
  };
}

function monthOf(now: number): { startedAt: number; endsAt: number } {
  const date = new Date(now);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return { startedAt: Date.UTC(year, month), endsAt: Date.UTC(year, month + 1) };
}
