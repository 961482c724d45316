import Type, { type Static } from 'typebox';
import type { HealthItem } from './service-health.ts';
import { DEPENDENCIES } from './dependency-checks.ts';

const Maybe = Type.Union([Type.String(), Type.Null()]);

const Item = Type.Object({
  name: Type.Enum(
    [...DEPENDENCIES, 'certificate', 'agent_jobs', 'speech_recognition', 'natural_voice'],
    {
      type: 'string',
    },
  ),
  status: Type.Enum(['ok', 'warning', 'failed'], { type: 'string' }),
  detail: Maybe,
  latency_ms: Type.Union([Type.Number(), Type.Null()]),
});

export const HealthBody = Type.Object(
  {
    data: Type.Array(Item),
    version: Type.String({ description: 'Version of this control plane.' }),
    migration: Type.Object({
      own: Type.String({ description: 'The newest that this version knows.' }),
      newest: Type.Union([Type.String(), Type.Null()], {
        description: 'Newest migration in the database.',
      }),
      is_newer: Type.Boolean({ description: 'A newer version has migrated the database.' }),
    }),
  },
  { $id: 'ServiceHealth' },
);

export const toHealthItem = (item: HealthItem): Static<typeof Item> => ({
  name: item.name,
  status: item.status,
  detail: item.detail,
  latency_ms: item.latencyMs,
});
