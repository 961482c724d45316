/* What webhooks are posted, for the document: `events/events.ts` writes it. */
import Type, { type TSchema } from 'typebox';
import type { EventType } from '../../events/events.ts';
import { Evaluation } from './calls.ts';
import { named, Time } from './common.ts';
import { SessionBody } from './sessions.ts';

const MaybeTime = Type.Union([Time, Type.Null()]);
const MaybeText = Type.Union([Type.String(), Type.Null()]);
const Id = Type.String({ format: 'uuid' });

const Call = Type.Object({
  id: Id,
  agent_id: Type.String(),
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

/** What receivers of an earlier service read at the top. */
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
    summary: 'The face is in the room',
    schema: event('SessionStartedEvent', 'session.started', named(SessionBody)),
  },
  'session.ended': {
    summary: 'A session is completed',
    schema: event('SessionEndedEvent', 'session.ended', named(SessionBody)),
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
  message: {
    summary: 'Something was said in a call',
    schema: event('MessageEvent', 'message', Type.Object({ call_id: Id, ...Message.properties }), {
      event_type: Type.Literal('message'),
      ...olderCall,
      message: Message,
    }),
  },
  'avatar.ready': {
    summary: 'An avatar can be used',
    schema: event('AvatarReadyEvent', 'avatar.ready', Type.Object({ id: Id, name: Type.String() })),
  },
  test: {
    summary: 'Somebody asks whether the webhook answers',
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
  header('webhook-id', "The event's id, the same at each try: what comes twice has the same one."),
  header('webhook-timestamp', 'When this try was made, in seconds since 1970.'),
  header(
    'webhook-signature',
    '`v1,` and, in base64, the HMAC-SHA256 of `<id>.<timestamp>.<body>`, keyed with what follows `whsec_` in the secret, read as base64.',
  ),
];

/** The document's `webhooks`. */
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
          '2XX': { description: 'Taken. The body does not matter.' },
          '410': { description: 'Nobody wants this any more: the webhook is disabled.' },
          default: {
            description:
              'Not taken: tried again over a day, at growing intervals. Redirects are not followed.',
          },
        },
      },
    },
  ]),
);
