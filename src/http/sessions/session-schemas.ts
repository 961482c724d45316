import Type, { type Static, type TProperties } from 'typebox';
import { END_REASONS } from '#protocol/end-reasons.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import type { GuestRoom } from '../../sessions/creation/new-session.ts';
import {
  GivenTextMap,
  Id,
  isoTime,
  named,
  PageQuery,
  pageOf,
  Text,
  TextMap,
  Time,
} from '../resource/schema-parts.ts';
import { closed } from '../resource/closed-schema.ts';
import { toVideoBody, VideoBody, VideoRequest } from './video-schemas.ts';

/** Rejects any value. */
const Unavailable = (description: string) =>
  Type.Optional(Type.Unsafe<undefined>({ not: {}, deprecated: true, description }));

/** Limited so that an assignment fits in one worker message. */
const RoomUrl = Type.String({ minLength: 1, maxLength: 2048 });
const RoomToken = Type.String({ minLength: 1, maxLength: 16_384 });
const older = (schema: Type.TSchema) =>
  Type.Optional(Type.Unsafe<string>({ ...schema, deprecated: true }));

export const SessionRequest = Type.Object(
  {
    avatar_id: Type.String({ minLength: 1, maxLength: 100 }),
    transport: Type.Optional(
      Type.Enum(['mediaserver', 'livekit', 'botroom'], {
        type: 'string',
        description:
          '`mediaserver`, the default, or its alias `livekit`: the avatar joins a room of a media server. `botroom`: your bot connects to a new room over a websocket; or, with `url`, the avatar connects to your bot. See `/docs/botroom`.',
      }),
    ),
    url: Type.Optional({
      ...RoomUrl,
      description:
        'With `mediaserver`: address of the media server that the avatar joins (ws, wss, http or https). Without url and token, the session gets a new room on the built-in media server. With `botroom`: address of your Pipecat bot (ws or wss), whose voice gets a face in a new room on the built-in media server. Without it, the answer names a new botroom. Private networks, and addresses without TLS, are refused unless the service allows them.',
    }),
    token: Type.Optional({
      ...RoomToken,
      description:
        'With `mediaserver`: room token (JWT) for the avatar, with roomJoin, room and permission to publish. With `botroom` and `url`: sent to your bot as a Bearer token.',
    }),
    video: Type.Optional(named(VideoRequest)),
    max_session_length_minutes: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_080,
        description: 'The session ends after this time.',
      }),
    ),
    metadata: Type.Optional(GivenTextMap),
    livekit_url: older(RoomUrl),
    livekit_token: older(RoomToken),
    transport_type: Unavailable(
      'Refused. Pipecat pipelines use the transport `botroom`, or a vendor adapter: see `/docs/coming-from`.',
    ),
  },
  { $id: 'SessionRequest' },
);
export type SessionRequest = Static<typeof SessionRequest>;

export const SessionChanges = closed(
  Type.Object(
    {
      video: Type.Optional(named(VideoRequest)),
      emotion: Type.Optional({
        ...Text(1, 60),
        description: 'As agents name it, for example `happy`. Unknown ones are ignored.',
      }),
    },
    { $id: 'SessionChanges', description: 'Only `framing` and `background` of the video.' },
  ),
);
export type SessionChanges = Static<typeof SessionChanges>;

export const SessionStatus = Type.Union(
  [
    Type.Object({ type: Type.Literal('to_start') }),
    Type.Object({ type: Type.Literal('ongoing'), started_at: Time }),
    Type.Object({ type: Type.Literal('completed'), started_at: Time, ended_at: Time }),
  ],
  { $id: 'SessionStatus' },
);

const sessionFields = {
  avatar_id: Type.String(),
  call_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'The call that it belongs to.' }),
  ),
  status: named(SessionStatus),
  created_at: Time,
  waited_ms: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: 'Milliseconds that the request waited for a free slot of a worker.',
    }),
  ),
  end_reason: Type.Optional(
    Type.Enum([...END_REASONS], { type: 'string', description: 'Present when completed.' }),
  ),
  end_detail: Type.Optional(
    Type.String({
      description: 'More about the end reason, for people: why the room could not be joined.',
      examples: ['connection refused by media.example.com:443'],
    }),
  ),
  video: named(VideoBody),
  max_session_length_minutes: Type.Optional(Type.Number()),
  metadata: TextMap,
};

const urls = {
  mediaserver: 'The media server that the avatar joins (secure websocket URL).',
  botroom:
    'The room that the video bot connects to (secure websocket URL), or the bot that the avatar connects to.',
};
type Transport = keyof typeof urls;

/** An answer with a schema for each transport, told apart by `transport`. */
function byTransport<Fields extends Record<Transport, TProperties>>($id: string, fields: Fields) {
  const ids = { mediaserver: `Mediaserver${$id}`, botroom: `Botroom${$id}` };
  const variant = <Name extends Transport>(transport: Name) =>
    Type.Object(
      {
        id: Type.String({ format: 'uuid' }),
        transport: Type.Literal(transport, { default: transport }),
        url: Type.String({ description: urls[transport] }),
        ...sessionFields,
        ...fields[transport],
      },
      { $id: ids[transport] },
    );
  const mediaserver = variant('mediaserver');
  const botroom = variant('botroom');
  const mapping = {
    mediaserver: `#/components/schemas/${ids.mediaserver}`,
    botroom: `#/components/schemas/${ids.botroom}`,
  };
  const discriminator = { propertyName: 'transport', mapping };
  const union = Type.Union([named(mediaserver), named(botroom)], { $id, discriminator });
  return { either: union, variants: [mediaserver, botroom] };
}

const session = byTransport('Session', { mediaserver: {}, botroom: {} });
export const SessionBody = session.either;
export type SessionBody = Static<typeof SessionBody>;

const newRoom = {
  url: Type.String(),
  name: Type.String(),
  viewer_token: Type.String({ description: 'For the viewer.' }),
};
const agentToken = Type.String({ description: 'For the voice agent.' });

const opened = byTransport('OpenedSession', {
  mediaserver: {
    room: Type.Optional(
      Type.Object(
        { ...newRoom, agent_token: agentToken },
        { description: 'The new room, if the request had none.' },
      ),
    ),
  },
  botroom: {
    token: Type.Optional(
      Type.String({
        description:
          'For your bot, to connect to `url` within minutes. Absent if the request named a bot.',
      }),
    ),
    room: Type.Optional(
      Type.Object(newRoom, {
        description: 'The new room that shows the face of your bot, if the request named one.',
      }),
    ),
  },
});
export const OpenedSession = opened.either;
export type OpenedSession = Static<typeof OpenedSession>;

export const SessionPage = pageOf(named(SessionBody), 'SessionPage');

export const BotroomToken = Type.Object(
  { url: Type.String({ description: 'Address of the botroom.' }), token: Type.String() },
  { $id: 'BotroomToken' },
);

export const sessionSchemas = [
  VideoRequest,
  VideoBody,
  SessionRequest,
  SessionChanges,
  SessionStatus,
  ...session.variants,
  SessionBody,
  ...opened.variants,
  OpenedSession,
  SessionPage,
  BotroomToken,
];

export const SessionQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(Type.Enum(['to_start', 'ongoing', 'completed'], { type: 'string' })),
  avatar_id: Type.Optional({ ...Id, description: 'The id or an alias of an avatar.' }),
  transport: Type.Optional(Type.Enum(['mediaserver', 'botroom'], { type: 'string' })),
  end_reason: Type.Optional(Type.Enum(END_REASONS, { type: 'string' })),
  q: Type.Optional(
    Type.String({ pattern: '^[0-9a-fA-F-]{1,36}$', description: 'The beginning of the id.' }),
  ),
  from: Type.Optional({ ...Time, description: 'Created at or after this time.' }),
  to: Type.Optional({ ...Time, description: 'Created before this time.' }),
});
export type SessionQuery = Static<typeof SessionQuery>;

/** Answer of the deprecated paths, with older field names. */
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
    ...(record.callId !== null && { call_id: record.callId }),
    status: toStatus(record),
    url: urlOf(record),
    created_at: isoTime(record.createdAt),
    ...(record.waitedMs !== null && { waited_ms: record.waitedMs }),
    ...(record.endReason && { end_reason: record.endReason }),
    ...(record.endDetail && { end_detail: record.endDetail }),
    video: toVideoBody(record.video),
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
    livekit_url: urlOf(record),
    // A botroom has no token that its caller may use.
    livekit_token: record.transport === 'botroom' ? '' : record.roomToken,
  };
}

/** With the transport `botroom`, the address of the bot's side. */
const urlOf = ({ transport, speech, roomUrl }: SessionRecord): string =>
  transport === 'botroom' && speech ? speech.url : roomUrl;

/** `token`: for the client of a new botroom. */
export function toOpenedSession(
  record: SessionRecord,
  room: GuestRoom | undefined,
  token: string | null,
): OpenedSession {
  const { transport, ...body } = toSessionBody(record);
  const newRoom = room && { url: room.url, name: room.name, viewer_token: room.viewerToken };
  switch (transport) {
    case 'mediaserver':
      return {
        transport,
        ...body,
        ...(newRoom && room && { room: { ...newRoom, agent_token: room.agentToken } }),
      };
    case 'botroom':
      return {
        transport,
        ...body,
        ...(token !== null && { token }),
        ...(newRoom && { room: newRoom }),
      };
  }
}

type Timed = Pick<SessionRecord, 'status' | 'startedAt' | 'endedAt' | 'createdAt'>;

/** Also used for calls. */
export function toStatus(record: Timed): Static<typeof SessionStatus> {
  // A completed session always has both times, even if it never started.
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
