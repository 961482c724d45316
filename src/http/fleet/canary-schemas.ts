import Type, { type Static } from 'typebox';
import { DEFAULT_POOL } from '../../fleet/fleet.ts';
import type { CanaryRecord } from '../../records/fleet/canaries.ts';
import { closed } from '../resource/closed-schema.ts';
import { isoTime, Text, Time } from '../resource/schema-parts.ts';

const share = Type.Integer({
  minimum: 1,
  maximum: 50,
  description: 'Percentage of the new sessions of `stable_pool` that try `pool` first.',
});

export const CanaryRequest = closed(
  Type.Object(
    {
      pool: { ...Text(1, 100), description: 'WORKER_POOL of the workers on trial.' },
      stable_pool: Type.Optional({
        ...Text(1, 100),
        description: `The pool whose sessions try the other one. Default: \`${DEFAULT_POOL}\`.`,
      }),
      share_percent: share,
    },
    { $id: 'CanaryRequest' },
  ),
);

const TallyBody = Type.Object({
  sessions: Type.Integer({ description: 'Sessions that began, or never did.' }),
  failures: Type.Integer({
    description: 'Of these: declined by their first worker, never started, or lost their worker.',
  }),
});

export const CanaryBody = Type.Object(
  {
    pool: Type.String(),
    stable_pool: Type.String(),
    share_percent: share,
    started_at: Time,
    stopped_at: Type.Union([Time, Type.Null()], {
      description: 'When it stopped because more of its sessions failed; else null.',
    }),
    canary: TallyBody,
    stable: TallyBody,
  },
  { $id: 'Canary' },
);

export const canarySchemas = [CanaryRequest, CanaryBody];

export const toCanaryBody = (canary: CanaryRecord): Static<typeof CanaryBody> => ({
  pool: canary.pool,
  stable_pool: canary.stablePool,
  share_percent: canary.sharePercent,
  started_at: isoTime(canary.startedAt),
  stopped_at: canary.stoppedAt === null ? null : isoTime(canary.stoppedAt),
  ...canary.tallies,
});
