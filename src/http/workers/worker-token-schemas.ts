import Type, { type Static } from 'typebox';
import { WORKER_KINDS } from '../../fleet/fleet.ts';
import type { WorkerTokenRecord } from '../../records/worker-tokens.ts';
import { closed } from '../resource/closed-schema.ts';
import { isoTime, named, pageOf, Text, Time } from '../resource/schema-parts.ts';

const MaybeTime = Type.Union([Time, Type.Null()]);
const Maybe = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const WorkerTokenRequest = closed(
  Type.Object(
    {
      name: Text(1, 100),
      kind: Type.Optional(
        Type.Enum([...WORKER_KINDS], {
          type: 'string',
          description: 'Only for workers of this kind.',
        }),
      ),
      pool: Type.Optional({ ...Text(1, 100), description: 'Only for workers of this pool.' }),
    },
    { $id: 'WorkerTokenRequest' },
  ),
);

const tokenFields = {
  id: Type.String({ format: 'uuid' }),
  name: Type.String(),
  kind: Maybe('`avatar` or `agent`; null: workers of any kind.'),
  pool: Maybe('WORKER_POOL of its workers; null: any pool.'),
  created_at: Time,
  last_used_at: Type.Union([Time, Type.Null()], { description: 'Rounded to the minute.' }),
  revoked_at: MaybeTime,
};

const WorkerTokenBody = Type.Object(tokenFields, { $id: 'WorkerToken' });

export const MadeWorkerToken = Type.Object(
  { ...tokenFields, token: Type.String({ description: 'Shown only once.' }) },
  { $id: 'MadeWorkerToken' },
);

export const WorkerTokenPage = pageOf(named(WorkerTokenBody), 'WorkerTokenPage');

export const workerTokenSchemas = [
  WorkerTokenRequest,
  WorkerTokenBody,
  MadeWorkerToken,
  WorkerTokenPage,
];

export const toWorkerTokenBody = (token: WorkerTokenRecord): Static<typeof WorkerTokenBody> => ({
  id: token.id,
  name: token.name,
  kind: token.kind,
  pool: token.pool,
  created_at: isoTime(token.createdAt),
  last_used_at: timeOrNull(token.lastUsedAt),
  revoked_at: timeOrNull(token.revokedAt),
});

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
