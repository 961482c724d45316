/* OpenAPI schemas of webhook payloads. `events/events.ts` writes the payloads. */
import Type, { type TSchema } from 'typebox';
import type { EventType } from '../../events/events.ts';
import { BUDGET_NAMES, BUDGETS, UNIT_NAMES } from '#protocol/budgets.ts';
import { QUALITIES, QUALITY_NAMES } from '#protocol/qualities.ts';
import { CallRating, Evaluation, RatingComment } from '../calls/call-schemas.ts';
import { named, Time } from '../resource/schema-parts.ts';
import { SessionBody } from '../sessions/session-schemas.ts';

const MaybeTime = Type.Union([Time, Type.Null()]);
const MaybeText = Type.Union([Type.String(), Type.Null()]);
const Id = Type.String({ format: 'uuid' });

const Call = Type.Object({
  id: Id,
  agent_id: Type.String(),
  session_id: Id,
  user_name: MaybeText,
  user_email: MaybeText,
  tags: Type.Record(Type.String(), Type.String()),
  started_at: MaybeTime,
  ended_at: MaybeTime,
});

const Message = Type.Object({
  sender: Type.Enum(['ai', 'user'], { type: 'string' }),
  message: Type.String(),
  sent_at: Time,
});

const qualities = Object.entries(QUALITIES).map(([name, meaning]) => `\`${name}\`: ${meaning}`);

const QualityChange = Type.Object({
  session_id: Id,
  call_id: { ...Type.Union([Id, Type.Null()]), description: 'Null: not the session of a call.' },
  quality: Type.Enum([...QUALITY_NAMES], { type: 'string', description: qualities.join(' ') }),
});

const budgets = Object.entries(BUDGETS).map(([name, meaning]) => `\`${name}\`: ${meaning}`);

const BudgetReached = Type.Object({
  agent_id: Type.String(),
  call_id: { ...Id, description: 'The call in which it was used up.' },
  budget: Type.Enum([...BUDGET_NAMES], { type: 'string', description: budgets.join(' ') }),
  unit: Type.Enum([...UNIT_NAMES], { type: 'string' }),
  limit: Type.Integer(),
  resets_at: {
    ...MaybeTime,
    description: 'When it begins again. Null for the budget of a call.',
  },
});

/** Top-level fields that receivers of an earlier service read. */
const olderCall = {
  call_id: Id,
  call_data: Type.Object({ userName: Type.String(), agentId: Type.String() }),
};

const event = <Data extends TSchema>($id: string, type: EventType, data: Data, more = {}) =>
  Type.Object(
    {
      type: Type.Literal(type),
      timestamp: { ...Time, description: 'When it happened.' },
      data,
      ...more,
    },
    { $id },
  );

const events: Record<EventType, { schema: TSchema & { $id?: string }; summary: string }> = {
  'session.started': {
    summary: 'The avatar has joined the room',
    schema: event('SessionStartedEvent', 'session.started', named(SessionBody)),
  },
  'session.ended': {
    summary: 'A session is completed',
    schema: event('SessionEndedEvent', 'session.ended', named(SessionBody)),
  },
  'session.quality_changed': {
    summary: 'The worker of a session has too little CPU time, or enough again',
    schema: event('SessionQualityChangedEvent', 'session.quality_changed', QualityChange),
  },
  'call.started': {
    summary: 'A call is ongoing',
    schema: event('CallStartedEvent', 'call.started', Call),
  },
  'call.ended': {
    summary: 'A call is completed',
    schema: event('CallEndedEvent', 'call.ended', Call, {
      event_type: Type.Literal('call_ended'),
      ...olderCall,
      evaluation: named(Evaluation),
      messages: Type.Array(Message),
      user_name: Type.String(),
    }),
  },
  'call.rated': {
    summary: 'The user of a call has rated it',
    schema: event(
      'CallRatedEvent',
      'call.rated',
      Type.Object({ ...Call.properties, rating: CallRating, rating_comment: RatingComment }),
    ),
  },
  message: {
    summary: 'Something was said in a call',
    schema: event('MessageEvent', 'message', Type.Object({ call_id: Id, ...Message.properties }), {
      event_type: Type.Literal('message'),
      ...olderCall,
      message: Message,
    }),
  },
  'agent.budget_reached': {
    summary: 'Calls of an agent have used up a budget',
    schema: event('AgentBudgetReachedEvent', 'agent.budget_reached', BudgetReached),
  },
  'avatar.ready': {
    summary: 'An avatar can be used',
    schema: event('AvatarReadyEvent', 'avatar.ready', Type.Object({ id: Id, name: Type.String() })),
  },
  test: {
    summary: 'Test of the webhook',
    schema: event('TestEvent', 'test', Type.Object({ webhook_id: Id }), {
      event_type: Type.Literal('test'),
      message: Type.String(),
    }),
  },
};

export const eventSchemas = Object.values(events).map(({ schema }) => schema);

const header = (name: string, description: string, schema: object = { type: 'string' }) => ({
  name,
  in: 'header' as const,
  required: true,
  description,
  schema,
});

const headers = [
  header('webhook-id', 'Event id, the same in every attempt. Use it to detect duplicates.'),
  header('webhook-timestamp', 'Time of this attempt, in seconds since 1970.'),
  header(
    'webhook-signature',
    '`v1,` and the base64 HMAC-SHA256 of `<id>.<timestamp>.<body>`. The key is the base64-decoded part of the secret after `whsec_`.',
  ),
];

/** The `webhooks` section of the OpenAPI document. */
export const documentedWebhooks = Object.fromEntries(
  Object.entries(events).map(([type, { schema, summary }]) => [
    type,
    {
      post: {
        tags: ['Webhooks'],
        summary,
        parameters: headers,
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { $ref: `#/components/schemas/${schema.$id}` } },
          },
        },
        responses: {
          '2XX': { description: 'Accepted. The body is ignored.' },
          '410': { description: 'No longer wanted: the webhook is disabled.' },
          default: {
            description:
              'Not accepted: retried over a day at growing intervals. Redirects are not followed.',
          },
        },
      },
    },
  ]),
);
