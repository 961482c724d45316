import Type, { type Static } from 'typebox';
import { PLANS, type Plan, type PlanName } from '../../accounts/plan.ts';
import type { MonthOfUse } from '../../accounts/usage.ts';
import { isoTime, Time } from '../resource/schema-parts.ts';

const Limit = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description: `${description} Null: no limit.` });

export const UsageBody = Type.Object(
  {
    plan: Type.Enum(Object.keys(PLANS) as PlanName[], { type: 'string' }),
    period: Type.Object(
      { started_at: Time, ends_at: Time },
      { description: 'The current calendar month, UTC.' },
    ),
    minutes_used: Type.Number({
      description: 'Total of all sessions, each from its first frame to its end or until now.',
    }),
    minutes_limit: Limit('Minutes included in the plan.'),
    overage_allowed: Type.Boolean({ description: 'Whether sessions may exceed the limit.' }),
    sessions_live: Type.Integer({ description: 'Sessions not completed.' }),
    sessions_limit: Limit('Sessions that may be live at once.'),
  },
  { $id: 'Usage' },
);

export const toUsageBody = (
  name: PlanName,
  plan: Plan,
  month: MonthOfUse,
  live: number,
): Static<typeof UsageBody> => ({
  plan: name,
  period: { started_at: isoTime(month.startedAt), ends_at: isoTime(month.endsAt) },
  minutes_used: Math.round(month.minutes * 100) / 100,
  minutes_limit: plan.minutesPerMonth,
  overage_allowed: plan.hasOverage,
  sessions_live: live,
  sessions_limit: plan.concurrentSessions,
});
