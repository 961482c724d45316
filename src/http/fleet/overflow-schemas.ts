import Type, { type Static } from 'typebox';
import { DEFAULT_POOL } from '../../fleet/fleet.ts';
import type { OverflowStatus } from '../../overflow/overflow-pools.ts';
import type { OutsideSession } from '../../records/overflow/outside-session.ts';
import { PERIODS } from '../../records/engine/tables/overflow-columns.ts';
import type { Overflow } from '../../records/overflow/overflows.ts';
import { closed } from '../resource/closed-schema.ts';
import { isoTime, named, Text, Time } from '../resource/schema-parts.ts';

const MICROS = 1_000_000;
const MAX_MONEY = 1_000_000_000;

const Money = (description: string) => Type.Number({ minimum: 0, maximum: MAX_MONEY, description });

const Pool = Type.Optional({
  ...Text(1, 100),
  description: `WORKER_POOL of the workers. Default: \`${DEFAULT_POOL}\`.`,
});

export const PoolQuery = Type.Object({ pool: Pool });

const fields = {
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    pattern: '^https?://[^\\s\\u0000-\\u001f]+$',
    description:
      'Base address of the outside service, without `/v1`. Private networks, and addresses without TLS, are refused unless this service allows them.',
    examples: ['https://avatars.example'],
  }),
  price_per_minute: Money(
    'Price of a minute in the currency of the service, with up to six decimals. Sessions are charged by the millisecond.',
  ),
  ceiling: Money(
    'The most that all its sessions of a period may cost. Open sessions count with the most that they may cost, so it is never exceeded.',
  ),
  period: Type.Enum([...PERIODS], {
    type: 'string',
    description:
      'Period of the ceiling, in UTC. A session counts in the period in which it was created.',
  }),
  max_sessions: Type.Integer({
    minimum: 0,
    maximum: 10_000,
    description: 'Sessions that it performs at the same time. 0: it gets no new ones.',
  }),
  max_minutes: Type.Integer({
    minimum: 1,
    maximum: 10_080,
    description: 'Longest session there. A session that goes on needs another slot then.',
  }),
};

const Avatars = Type.Unsafe<Record<string, string>>({
  type: 'object',
  maxProperties: 1_000,
  additionalProperties: { type: 'string', minLength: 1, maxLength: 100 },
  description:
    'Ids of avatars there, by the ids here. Others have the same id there; custom avatars overflow only if they are named.',
});

export const OverflowRequest = closed(
  Type.Object(
    {
      pool: Pool,
      ...fields,
      max_minutes: Type.Optional({ ...fields.max_minutes, default: 60 }),
      api_key: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 4096,
          pattern: '^[\\x21-\\x7e]*$',
          description:
            'Sent to the outside service as `x-api-key`. Encrypted at rest and never returned. Default: the key stays. A new origin in `url` needs it again.',
        }),
      ),
      avatars: Type.Optional(Avatars),
    },
    { $id: 'OverflowRequest' },
  ),
);
export type OverflowRequest = Static<typeof OverflowRequest>;

const Count = (description: string) => Type.Integer({ minimum: 0, description });

export const OverflowBody = Type.Object(
  {
    pool: Type.String(),
    ...fields,
    avatars: Avatars,
    state: Type.Enum(['ready', 'full', 'ceiling', 'resting'], {
      type: 'string',
      description:
        '`full`: it has `max_sessions`. `ceiling`: another session could exceed the ceiling. `resting`: a request failed a moment ago.',
    }),
    problem: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last request of this control plane failed; null if it succeeded.',
    }),
    sessions: Count('Open sessions there.'),
    spent: Money('Cost of the sessions of this period that have ended.'),
    reserved: Money('The most that its open sessions may cost.'),
    minutes: Type.Number({ minimum: 0, description: 'Length of the ended sessions.' }),
    resets_at: { ...Time, description: 'End of the period.' },
  },
  { $id: 'Overflow', description: 'Without the API key.' },
);

export const OverflowList = Type.Object(
  { data: Type.Array(named(OverflowBody)) },
  { $id: 'OverflowList' },
);

const OutsideSessionBody = Type.Object(
  {
    session_id: Type.String({ description: 'The session here.' }),
    outside_id: Type.Union([Type.String(), Type.Null()], {
      description: 'The session there; null if it may not exist.',
    }),
    state: Type.Enum(['reserved', 'creating', 'waiting', 'showing', 'ending', 'closed'], {
      type: 'string',
    }),
    reserved_at: Time,
    end_reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it ended there.' }),
    minutes: Type.Number({ minimum: 0 }),
    cost: Money('While it is open, the most that it may cost.'),
  },
  { $id: 'OutsideSession' },
);

export const OutsideSessionList = Type.Object(
  { data: Type.Array(named(OutsideSessionBody)) },
  { $id: 'OutsideSessionList' },
);

export const overflowSchemas = [
  OverflowRequest,
  OverflowBody,
  OverflowList,
  OutsideSessionBody,
  OutsideSessionList,
];

export const toOverflow = (body: OverflowRequest): Overflow => ({
  pool: body.pool ?? DEFAULT_POOL,
  url: body.url,
  priceMicros: Math.round(body.price_per_minute * MICROS),
  ceilingMicros: Math.round(body.ceiling * MICROS),
  period: body.period,
  maxSessions: body.max_sessions,
  maxMinutes: body.max_minutes ?? 60,
  avatars: body.avatars ?? {},
});

/** The settings, for answers and the audit log. */
export const toOverflowSettings = (overflow: Overflow) => ({
  pool: overflow.pool,
  url: overflow.url,
  price_per_minute: overflow.priceMicros / MICROS,
  ceiling: overflow.ceilingMicros / MICROS,
  period: overflow.period,
  max_sessions: overflow.maxSessions,
  max_minutes: overflow.maxMinutes,
  avatars: overflow.avatars,
});

const STATES = {
  overflow_full: 'full',
  overflow_ceiling: 'ceiling',
  resting: 'resting',
} as const;

export const toOverflowBody = ({
  overflow,
  use,
  exhaustion,
  problem,
  resetsAt,
}: OverflowStatus): Static<typeof OverflowBody> => ({
  ...toOverflowSettings(overflow),
  state: exhaustion === null ? 'ready' : STATES[exhaustion],
  problem,
  sessions: use.open,
  spent: use.spentMicros / MICROS,
  reserved: use.reservedMicros / MICROS,
  minutes: use.lengthMs / 60_000,
  resets_at: isoTime(resetsAt),
});

export const toOutsideSessionBody = (
  session: OutsideSession,
): Static<typeof OutsideSessionBody> => ({
  session_id: session.sessionId,
  outside_id: 'outsideId' in session.state ? session.state.outsideId : null,
  state: session.state.type,
  reserved_at: isoTime(session.reservedAt),
  end_reason: session.endReason,
  minutes: session.lengthMs / 60_000,
  cost: session.costMicros / MICROS,
});
