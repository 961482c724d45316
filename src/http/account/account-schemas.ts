import Type from 'typebox';
import { daysOf, MAX_DAYS } from '../../accounts/erasure/retention-days.ts';
import { PLANS, type PlanName } from '../../accounts/plan.ts';
import type { AccountRecord } from '../../records/accounts/accounts.ts';
import type { RetentionDays } from '../../records/engine/tables/account-columns.ts';
import { RETENTION_KINDS } from '../../records/erasure/retention.ts';
import { closed } from '../resource/closed-schema.ts';
import { isoTime, Time } from '../resource/schema-parts.ts';

export const PlanField = Type.Unsafe<PlanName>(Type.Enum(Object.keys(PLANS), { type: 'string' }));

const retentionDays = (description: string, most: RetentionDays = {}) =>
  Type.Unsafe<RetentionDays | null>(
    Type.Union(
      [
        Type.Object(
          Object.fromEntries(
            RETENTION_KINDS.map((kind) => {
              const maximum = most[kind] ?? MAX_DAYS;
              return [kind, Type.Optional(Type.Integer({ minimum: 1, maximum }))];
            }),
          ),
          { additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description },
    ),
  );

export const RetentionDaysField = retentionDays(
  'Days after which data is deleted, by kind. The shorter of these and RETENTION_DAYS holds. null: as the installation.',
);

const MaybeDays = Type.Union([Type.Integer(), Type.Null()]);

export const CallStills = Type.Boolean({
  description:
    'Whether stills of sessions that belong to a call may be retrieved. Of other sessions they always may.',
});

export const OwnAccount = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    plan: PlanField,
    retention_days: RetentionDaysField,
    effective_retention_days: Type.Object(
      Object.fromEntries(RETENTION_KINDS.map((kind) => [kind, MaybeDays])),
      {
        description: 'What holds, with the limits of the service. null: kept until you delete it.',
      },
    ),
    call_stills: CallStills,
    created_at: Time,
  },
  { $id: 'OwnAccount' },
);

/** `installation`: its retention, which no account exceeds. */
export const ownAccountChanges = (installation: RetentionDays) => {
  const description =
    'Days after which data is deleted, by kind; at most as the service keeps it. null: as the service.';
  const field = retentionDays(description, installation);
  return closed(
    Type.Object(
      { retention_days: Type.Optional(field), call_stills: Type.Optional(CallStills) },
      { $id: 'OwnAccountChanges' },
    ),
  );
};

/** `installation`: its retention. */
export const toOwnAccount = (account: AccountRecord, installation: RetentionDays) => ({
  id: account.id,
  name: account.name,
  plan: account.plan as PlanName,
  retention_days: account.retention,
  effective_retention_days: Object.fromEntries(
    RETENTION_KINDS.map((kind) => [kind, daysOf(kind, installation, account.retention)]),
  ),
  call_stills: account.callStills,
  created_at: isoTime(account.createdAt),
});
