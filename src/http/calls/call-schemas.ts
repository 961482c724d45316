import Type, { type Static } from 'typebox';
import { RATINGS } from '#protocol/call-ratings.ts';
import { toEvaluation } from '../../events/events.ts';
import type { CallMessage, CallMessageRecords } from '../../records/calls/call-messages.ts';
import type { CallRecord } from '../../records/calls/calls.ts';
import {
  GivenTextMap,
  Id,
  isoTime,
  named,
  optional,
  PageQuery,
  pageOf,
  Text,
  TextMap,
  Time,
} from '../resource/schema-parts.ts';
import { SessionStatus, toStatus } from '../sessions/session-schemas.ts';
import { VideoRequest } from '../sessions/video-schemas.ts';

/** Longer than any ticket. */
const LINE_TICKET_LENGTH = 100;

export const LineTicket = optional(
  Type.String({ maxLength: LINE_TICKET_LENGTH }),
  'Keeps a place in line while all slots are taken. Send null at first. A 503 that waiting can cure then has `line_ticket`, to be sent with the next try, and `line_position`, which is 1 for the first in line. The service holds a place for 15 seconds after a try, and gives a new one for an unknown ticket. Requests without the field get no place, and do not overtake those that have one.',
);

export const CallRequest = Type.Object(
  {
    agent_id: Id,
    user_name: Type.Optional(Text(0, 200)),
    user_email: Type.Optional(
      Type.String({
        maxLength: 320,
        pattern: '^[^@\\s\\u0000]+@[^@\\s\\u0000]+$',
        examples: ['user@example.com'],
      }),
    ),
    tags: Type.Optional(GivenTextMap),
    video: Type.Optional(named(VideoRequest)),
    line_ticket: LineTicket,
  },
  { $id: 'CallRequest' },
);
export type CallRequest = Static<typeof CallRequest>;

export const Evaluation = Type.Object(
  {
    topic: Type.String({ description: 'Topic of the call; empty if the user said nothing.' }),
    user_sentiment: Type.Enum(['positive', 'neutral', 'negative'], {
      type: 'string',
      description: "The user's sentiment.",
    }),
    duration_minutes: Type.Number(),
    messages_count: Type.Integer(),
    evaluated_by: Type.Enum(['model', 'rules'], {
      type: 'string',
      description:
        "`model`: by the agent's language model. `rules`: no model was available or it gave no answer; by the user's most frequent words and a short list of positive and negative words.",
    }),
  },
  { $id: 'CallEvaluation' },
);

export const CallRating = Type.Enum([...RATINGS], {
  type: 'string',
  description: 'The rating by the user.',
});

export const RatingComment = Type.Union([Type.String(), Type.Null()], {
  description: 'The comment of the user on the rating.',
});

const callFields = {
  id: Type.String({ format: 'uuid' }),
  agent_id: Type.String({ description: 'May be the id of a deleted agent.' }),
  session_id: Type.String({ format: 'uuid', description: 'The session of its avatar.' }),
  status: named(SessionStatus),
  user_name: Type.Union([Type.String(), Type.Null()]),
  user_email: Type.Union([Type.String(), Type.Null()]),
  tags: TextMap,
  started_at: { ...Time, description: 'Before the avatar joins: when the call was created.' },
  ended_at: Type.Union([Time, Type.Null()], { description: 'Null while the call is open.' }),
  evaluation: Type.Union([named(Evaluation), Type.Null()], {
    description: 'Null until a few seconds after the call ends.',
  }),
  rating: Type.Union([CallRating, Type.Null()], {
    description: 'The rating by the user. Null without one.',
  }),
  rating_comment: RatingComment,
};

export const CallBody = Type.Object(callFields, {
  $id: 'Call',
  description: 'Without credentials; only the answer that opens the call has them.',
});
export type CallBody = Static<typeof CallBody>;

const Url = Type.String({ description: 'The media server that the user joins.' });
const Token = Type.String({
  description:
    'Room token (JWT) that lets the user publish, subscribe and send data; valid for ten minutes. Secret.',
});

const credentials = {
  mediaserver_url: Url,
  mediaserver_token: Token,
  livekit_url: { ...Url, description: 'Same as mediaserver_url.' },
  livekit_token: { ...Token, description: 'Same as mediaserver_token.' },
};

export const OpenedCall = Type.Object({ ...callFields, ...credentials }, { $id: 'OpenedCall' });

export const CallToken = Type.Object(credentials, { $id: 'CallToken' });

export type OpenedCall = Static<typeof OpenedCall>;

export const CallQuery = Type.Object({
  ...PageQuery.properties,
  agent_id: Type.Optional({ ...Id, description: 'Only calls with this agent, deleted or not.' }),
  rating: Type.Optional({ ...CallRating, description: 'Only calls that were rated so.' }),
});

export const CallPage = pageOf(named(CallBody), 'CallPage');

const Ms = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

const MessageLatency = Type.Object(
  {
    transcript_ms: Ms("Until the transcript of the user's speech was ready."),
    first_token_ms: Ms('Until the first token of the answer.'),
    first_audio_ms: Ms('Until the first synthesized audio.'),
    first_frame_ms: Ms('Until the first frame of the answer was shown.'),
  },
  {
    description:
      "Of an answer, if measured: milliseconds from the end of the user's speech. Null: unknown.",
  },
);

export const CallMessages = Type.Array(
  Type.Object({
    message: Type.String(),
    sent_at: Time,
    sender: Type.Enum(['ai', 'user'], { type: 'string' }),
    latency: Type.Optional(MessageLatency),
  }),
  { $id: 'CallMessages' },
);

export const callSchemas = [
  CallRequest,
  Evaluation,
  CallBody,
  OpenedCall,
  CallToken,
  CallPage,
  CallMessages,
];

export const toCallBody = (call: CallRecord): CallBody => ({
  id: call.id,
  agent_id: call.agentId,
  session_id: call.sessionId,
  status: toStatus(call),
  user_name: call.userName,
  user_email: call.userEmail,
  tags: call.tags,
  // Published clients require a time here.
  started_at: isoTime(call.startedAt ?? call.createdAt),
  ended_at: call.endedAt === null ? null : isoTime(call.endedAt),
  evaluation: call.evaluation && toEvaluation(call.evaluation),
  rating: call.rating,
  rating_comment: call.ratingComment,
});

export const toOpenedCall = (call: CallRecord): OpenedCall => ({
  ...toCallBody(call),
  ...toCallToken(call, call.userToken),
});

export const toCallToken = (
  { roomUrl }: Pick<CallRecord, 'roomUrl'>,
  token: string,
): Static<typeof CallToken> => ({
  mediaserver_url: roomUrl,
  mediaserver_token: token,
  livekit_url: roomUrl,
  livekit_token: token,
});

export async function* messagePages(messages: Pick<CallMessageRecords, 'pages'>, callId: string) {
  for await (const page of messages.pages(callId)) yield toMessages(page);
}

export const toMessages = (messages: CallMessage[]): Static<typeof CallMessages> =>
  messages.map(({ message, sentAt, sender, latency }) => ({
    message,
    sent_at: isoTime(sentAt),
    sender,
    ...(latency && {
      latency: {
        transcript_ms: latency.transcriptMs,
        first_token_ms: latency.firstTokenMs,
        first_audio_ms: latency.firstAudioMs,
        first_frame_ms: latency.firstFrameMs,
      },
    }),
  }));
