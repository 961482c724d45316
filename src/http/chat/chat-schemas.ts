import Type, { type Static } from 'typebox';
import { MAX_COMMENT_LENGTH } from '#protocol/call-ratings.ts';
import { END_REASONS, type EndReason } from '#protocol/end-reasons.ts';
import type { Agent } from '../../records/agents/agents.ts';
import type { CallRecord } from '../../records/calls/calls.ts';
import { AppearanceBody, toAppearanceBody } from '../agents/appearance-schemas.ts';
import { CallMessages, CallRating, LineTicket } from '../calls/call-schemas.ts';
import { named, Text } from '../resource/schema-parts.ts';
import { SessionStatus, toStatus } from '../sessions/session-schemas.ts';
import { SCREENS } from '../../sessions/video.ts';

export const CHAT_TAGS = ['Chat Room'];

export const AgentParams = Type.Object({
  id: Type.String({ minLength: 1, description: 'The agent.' }),
});

export const ChatAgent = Type.Object(
  {
    name: Type.String(),
    language: Type.String(),
    avatar: Type.Object({
      id: Type.String(),
      picture: Type.String({ format: 'uri', description: 'A still picture; needs no key.' }),
    }),
    hears: Type.Boolean({
      description:
        'Whether the agent is expected to understand speech; otherwise it reads typed text.',
    }),
    hears_soon: Type.Boolean({
      description:
        'Speech recognition is being installed: the agent is expected to hear in some minutes. Ask again.',
    }),
    sees: Type.Boolean({ description: "Whether the agent looks at the user's camera." }),
    ai_label: Type.Boolean({
      description: 'Whether the page shows an AI label.',
    }),
    appearance: AppearanceBody,
  },
  { $id: 'ChatAgent', description: 'The public part of an agent.' },
);

export const LineQuery = Type.Object({
  ticket: Type.String({ minLength: 1, description: 'The `line_ticket` of a refused call.' }),
});

export const ChatCallRequest = Type.Object(
  {
    user_name: Type.Optional(Text(0, 200)),
    screen: Type.Optional(
      Type.Enum([...SCREENS], {
        type: 'string',
        description:
          'The shape of the user’s screen. An agent without a size of its own is shown in this shape.',
      }),
    ),
    line_ticket: LineTicket,
  },
  { $id: 'ChatCallRequest' },
);

export const OpenedChatCall = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    room_url: Type.String({ description: 'The media server that the user joins.' }),
    room_token: Type.String({
      description:
        'Room token (JWT) for the user, to be used within ten minutes. It also authenticates requests about this call, as long as its record exists. Secret.',
    }),
  },
  { $id: 'OpenedChatCall' },
);

export const ChatCall = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    status: named(SessionStatus),
    end_reason: Type.Union([Type.Enum([...END_REASONS], { type: 'string' }), Type.Null()], {
      description: 'Null while the call is open.',
    }),
    messages: named(CallMessages),
    room_token: Type.Union([Type.String(), Type.Null()], {
      description:
        'Another room token, to come back when the first one has expired. Null after the call.',
    }),
  },
  { $id: 'ChatCall' },
);

export const ChatCallRating = Type.Object(
  {
    rating: CallRating,
    comment: Type.Optional(
      Type.Union([Text(0, MAX_COMMENT_LENGTH), Type.Null()], {
        description: 'The comment of the user. Without it, an earlier comment is removed.',
      }),
    ),
  },
  { $id: 'ChatCallRating' },
);

export const chatSchemas = [ChatAgent, ChatCallRequest, OpenedChatCall, ChatCall, ChatCallRating];

export const toChatAgent = (
  agent: Agent,
  {
    baseUrl,
    hears,
    hearsSoon,
    sees,
    hasAiLabel,
  }: {
    baseUrl: string;
    hears: boolean;
    hearsSoon: boolean;
    sees: boolean;
    hasAiLabel: boolean;
  },
): Static<typeof ChatAgent> => ({
  name: agent.name,
  language: agent.language,
  avatar: {
    id: agent.avatarId,
    picture: `${baseUrl}/avatars/${encodeURIComponent(agent.avatarId)}/picture`,
  },
  hears,
  hears_soon: hearsSoon,
  sees,
  ai_label: hasAiLabel,
  appearance: toAppearanceBody(agent, baseUrl),
});

export const toOpenedChatCall = (call: CallRecord): Static<typeof OpenedChatCall> => ({
  id: call.id,
  room_url: call.roomUrl,
  room_token: call.userToken,
});

export const toChatCall = (
  call: CallRecord,
  endReason: EndReason | null,
  roomToken: string | null,
): Omit<Static<typeof ChatCall>, 'messages'> => ({
  id: call.id,
  status: toStatus(call),
  end_reason: endReason,
  room_token: roomToken,
});
