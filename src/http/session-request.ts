import type { Avatar } from '../avatars/avatars.ts';
import { problem } from '../errors.ts';
import type { GivenRooms } from '../rooms/given-rooms.ts';
import type { OpenSession } from '../sessions/sessions.ts';
import { VIDEO } from '../sessions/video.ts';
import type { SessionRequest } from './schemas/sessions.ts';

const useInstead =
  'This version joins media server rooms only. Omit it, or send transport "mediaserver" with url and token.';

/**
 * Rejects unavailable features with advice. Runs before schema validation, whose errors are
 * generic.
 */
export function refuseUnavailable(body: unknown): void {
  const { transport, transport_type, video } = asObject(body);
  if (transport === 'botroom') {
    throw problem('not_available', ['body', 'transport'], useInstead, transport);
  }
  if (transport_type !== undefined) {
    throw problem('not_available', ['body', 'transport_type'], useInstead, transport_type);
  }
  for (const name of ['width', 'height', 'fps'] as const) {
    const wanted = asObject(video)[name];
    if (!Number.isInteger(wanted) || wanted === VIDEO[name]) continue;
    const only = `This version supports only ${VIDEO.width} x ${VIDEO.height} at ${VIDEO.fps} frames per second.`;
    throw problem('not_available', ['body', 'video', name], only, wanted);
  }
}

const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/**
 * Accepts the field names of all published clients. Throws a Fault for an invalid room or avatar.
 */
export async function readSessionRequest(
  body: SessionRequest,
  findAvatar: (id: string) => Promise<Avatar>,
  rooms: Pick<GivenRooms, 'check'>,
): Promise<OpenSession> {
  const room = await readRoom(body, rooms);
  const avatar = await findAvatar(body.avatar_id);
  return {
    avatarId: avatar.id,
    bundleHash: avatar.bundleHash,
    transport: 'mediaserver',
    ...(room && { room }),
    video: { ...VIDEO },
    ...(body.max_session_length_minutes !== undefined && {
      maxLengthMinutes: body.max_session_length_minutes,
    }),
    metadata: body.metadata ?? {},
  };
}

async function readRoom(
  body: SessionRequest,
  rooms: Pick<GivenRooms, 'check'>,
): Promise<{ url: string; token: string } | null> {
  const names = {
    url: body.url === undefined && body.livekit_url !== undefined ? 'livekit_url' : 'url',
    token: body.token === undefined && body.livekit_token !== undefined ? 'livekit_token' : 'token',
  } as const;
  const url = body[names.url];
  const token = body[names.token];
  if (url === undefined && token === undefined) return null;
  if (url === undefined || token === undefined) {
    // The field that is present tells which pair of names the caller uses.
    const isOlder = names.url === 'livekit_url' || names.token === 'livekit_token';
    const missing = `${isOlder ? 'livekit_' : ''}${url === undefined ? 'url' : 'token'}`;
    throw problem('missing', ['body', missing], 'Field required', null);
  }
  await rooms.check({ url, token }, names);
  return { url, token };
}
