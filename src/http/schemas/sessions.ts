import Type, { type Static } from 'typebox';
import { END_REASONS } from '#protocol/end-reasons.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import { VIDEO } from '../../sessions/video.ts';
import { GivenTextMap, Id, isoTime, named, PageQuery, pageOf, TextMap, Time } from './common.ts';

const Only = (value: number) =>
  Type.Optional(Type.Integer({ minimum: value, maximum: value, default: value }));
/** Rejects any value. */
const Unavailable = (description: string) =>
  Type.Optional(Type.Unsafe<undefined>({ not: {}, deprecated: true, description }));

/** Text is bounded so that an assignment fits one message to a worker. */
const RoomUrl = Type.String({ minLength: 1, maxLength: 2048 });
const RoomToken = Type.String({ minLength: 1, maxLength: 16_384 });
const older = (schema: Type.TSchema) =>
  Type.Optional(Type.Unsafe<string>({ ...schema, deprecated: true }));

export const SessionRequest = Type.Object(
  {
    avatar_id: Type.String({ minLength: 1, maxLength: 100 }),
    transport: Type.Optional(
      Type.Enum(['mediaserver', 'livekit'], {
        type: 'string',
        description:
          '`livekit` is read as `mediaserver`, the default. `botroom` is not available in this version.',
      }),
    ),
    url: Type.Optional({
      ...RoomUrl,
      description:
        'The media server that the avatar joins (ws, wss, http or https). Without url and token the session gets a fresh room on the built-in media server.',
    }),
    token: Type.Optional({
      ...RoomToken,
      description:
        'A room token (JWT) for the avatar, with roomJoin, room and the right to publish.',
    }),
    video: Type.Optional(
      Type.Object(
        { width: Only(VIDEO.width), height: Only(VIDEO.height), fps: Only(VIDEO.fps) },
        { description: 'This version shows 512 x 512 at 25 frames a second only.' },
      ),
    ),
    max_session_length_minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_080,
        description: 'The session ends by itself then.',
      }),
    ),
    metadata: Type.Optional(GivenTextMap),
    livekit_url: older(RoomUrl),
    livekit_token: older(RoomToken),
    transport_type: Unavailable('Not available in this version: use `transport`.'),
  },
  { $id: 'SessionRequest' },
);
export type SessionRequest = Static<typeof SessionRequest>;

export const SessionStatus = Type.Union(
  [
    Type.Object({ type: Type.Literal('to_start') }),
    Type.Object({ type: Type.Literal('ongoing'), started_at: Time }),
    Type.Object({ type: Type.Literal('completed'), started_at: Time, ended_at: Time }),
  ],
  { $id: 'SessionStatus' },
);

const sessionFields = {
  id: Type.String({ format: 'uuid' }),
  transport: Type.Enum(['mediaserver', 'botroom'], { type: 'string' }),
  avatar_id: Type.String(),
  status: named(SessionStatus),
  url: Type.String(),
  created_at: Time,
  end_reason: Type.Optional(
    Type.Enum([...END_REASONS], { type: 'string', description: 'When completed.' }),
  ),
  video: Type.Object({ width: Type.Integer(), height: Type.Integer(), fps: Type.Integer() }),
  max_session_length_minutes: Type.Optional(Type.Number()),
  metadata: TextMap,
};

export const SessionBody = Type.Object(sessionFields, { $id: 'Session' });
export type SessionBody = Static<typeof SessionBody>;

export const OpenedSession = Type.Object(
  {
    ...sessionFields,
    room: Type.Optional(
      Type.Object(
        {
          url: Type.String(),
          name: Type.String(),
          agent_token: Type.String({ description: 'For the voice agent that speaks.' }),
          viewer_token: Type.String({ description: 'For the person who watches.' }),
        },
        { description: 'The fresh room, when the request brought none.' },
      ),
    ),
  },
  { $id: 'OpenedSession' },
);

export const SessionPage = pageOf(named(SessionBody), 'SessionPage');

export const sessionSchemas = [
  SessionRequest,
  SessionStatus,
  SessionBody,
  OpenedSession,
  SessionPage,
];

export const SessionQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(Type.Enum(['to_start', 'ongoing', 'completed'], { type: 'string' })),
  avatar_id: Type.Optional({ ...Id, description: 'Any name that finds the avatar.' }),
  from: Type.Optional({ ...Time, description: 'Created then or later.' }),
  to: Type.Optional({ ...Time, description: 'Created before.' }),
});
export type SessionQuery = Static<typeof SessionQuery>;

/** As the deprecated paths answer: the names that older clients know. */
export const OlderSession = Type.Object({
  id: Type.String(),
  avatar_id: Type.String(),
  created_at: Type.String(),
  status: named(SessionStatus),
  livekit_url: Type.String(),
  livekit_token: Type.String(),
});

export function toSessionBody(record: SessionRecord): SessionBody {
  return {
    id: record.id,
    transport: record.transport,
    avatar_id: record.avatarId,
    status: toStatus(record),
    url: record.roomUrl,
    created_at: isoTime(record.createdAt),
    ...(record.endReason && { end_reason: record.endReason }),
    video: record.video,
    ...(record.maxLengthMinutes !== null && {
      max_session_length_minutes: record.maxLengthMinutes,
    }),
    metadata: record.metadata,
  };
}

export function toOlderSession(record: SessionRecord): Static<typeof OlderSession> {
  return {
    id: record.id,
    avatar_id: record.avatarId,
    created_at: isoTime(record.createdAt),
    status: toStatus(record),
    livekit_url: record.roomUrl,
    livekit_token: record.roomToken,
  };
}

type Timed = Pick<SessionRecord, 'status' | 'startedAt' | 'endedAt' | 'createdAt'>;

/** Of a session, or of a call. */
export function toStatus(record: Timed): Static<typeof SessionStatus> {
  // The interface gives a completed session both times, also one that never began.
  const startedAt = isoTime(record.startedAt ?? record.endedAt ?? record.createdAt);
  switch (record.status) {
    case 'to_start':
      return { type: 'to_start' };
    case 'ongoing':
      return { type: 'ongoing', started_at: startedAt };
    case 'completed':
      return {
        type: 'completed',
        started_at: startedAt,
        ended_at: record.endedAt === null ? startedAt : isoTime(record.endedAt),
      };
  }
}
