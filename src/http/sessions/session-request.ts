import type { Avatar } from '../../avatars/avatars.ts';
import { problem } from '../../errors.ts';
import type { RoomIdentities } from '../../rooms/rooms.ts';
import type { NewSession } from '../../sessions/creation/new-session.ts';
import { videoFor } from '../../sessions/video.ts';
import type { SessionRequest } from './session-schemas.ts';
import type { Services } from '../services.ts';
import { readVideo } from './video-schemas.ts';

const PIPECAT =
  'Not available. A Pipecat pipeline has two ways instead: transport "botroom" (see /docs/botroom), or a published video service with an adapter under /compat (see /docs/coming-from).';

/**
 * Rejects unavailable features with advice. Runs before schema validation, whose errors are
 * generic.
 */
export function refuseUnavailable(body: unknown): void {
  const { transport_type } = asObject(body);
  if (transport_type !== undefined) {
    throw problem('not_available', ['body', 'transport_type'], PIPECAT, transport_type);
  }
}

/** The older answers have no place for a botroom. */
export function refuseBotroom(body: unknown): void {
  const { transport } = asObject(body);
  if (transport !== 'botroom') return;
  const text = 'Only POST /v1/sessions opens a botroom.';
  throw problem('not_available', ['body', 'transport'], text, transport);
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

type SessionRequestParts = Pick<Services, 'callerRooms' | 'callerBots'> & {
  findAvatar: (id: string) => Promise<Avatar>;
  /** Where the caller reaches this service. */
  publicUrl: string;
};

/**
 * Accepts the field names of all published clients. Throws a Fault for an invalid room or avatar.
 */
export async function readSessionRequest(
  body: SessionRequest,
  parts: SessionRequestParts,
): Promise<NewSession> {
  const place =
    body.transport === 'botroom' ? await readBotroom(body, parts) : await readRoom(body, parts);
  const avatar = await parts.findAvatar(body.avatar_id);
  return {
    avatarId: avatar.id,
    bundleHash: avatar.bundleHash,
    ...place,
    video: videoFor(body.video && readVideo(body.video, ['body', 'video'])),
    ...(body.max_session_length_minutes !== undefined && {
      maxLengthMinutes: body.max_session_length_minutes,
    }),
    metadata: body.metadata ?? {},
  };
}

type Place = Pick<NewSession, 'transport' | 'room' | 'botroom' | 'speech' | 'newRoom'>;

/** Named, because a bot brings no room that could be used instead of a built-in one. */
const BOT_ROOM: RoomIdentities = { avatar: 'troupe-avatar', agent: 'agent', viewer: 'viewer' };

async function readBotroom(
  body: SessionRequest,
  { callerBots, publicUrl }: SessionRequestParts,
): Promise<Place> {
  for (const name of ['livekit_url', 'livekit_token'] as const) {
    if (body[name] === undefined) continue;
    const text = 'Only with the transport "mediaserver".';
    throw problem('value_error', ['body', name], text, name === 'livekit_url' ? body[name] : null);
  }
  const { url, token } = body;
  if (url !== undefined) {
    const bot = { url, ...(token !== undefined && { token }) };
    await callerBots.check(bot);
    const speech = { protocol: 'pipecat', ...bot } as const;
    return { transport: 'botroom', speech, newRoom: { identities: BOT_ROOM } };
  }
  if (token === undefined) return { transport: 'botroom', botroom: { publicUrl } };
  const text =
    'Field required: the token belongs to the bot at this address. Without both, the answer holds a new room and its token.';
  throw problem('missing', ['body', 'url'], text, null);
}

async function readRoom(
  body: SessionRequest,
  { callerRooms }: SessionRequestParts,
): Promise<Place> {
  const names = {
    url: body.url === undefined && body.livekit_url !== undefined ? 'livekit_url' : 'url',
    token: body.token === undefined && body.livekit_token !== undefined ? 'livekit_token' : 'token',
  } as const;
  const url = body[names.url];
  const token = body[names.token];
  if (url === undefined && token === undefined) return { transport: 'mediaserver' };
  if (url === undefined || token === undefined) {
    // The field that is present tells which pair of names the caller uses.
    const isOlder = names.url === 'livekit_url' || names.token === 'livekit_token';
    const missing = `${isOlder ? 'livekit_' : ''}${url === undefined ? 'url' : 'token'}`;
    throw problem('missing', ['body', missing], 'Field required', null);
  }
  await callerRooms.check({ url, token }, names);
  return { transport: 'mediaserver', room: { url, token } };
}
