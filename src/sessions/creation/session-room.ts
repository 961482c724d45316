/* The rooms of a session: where its face is shown, and the botroom that relays for it. */
import { botroomPath } from '#protocol/botroom/path.ts';
import type { BotroomRooms } from '../../botrooms/botroom-rooms.ts';
import type { SessionRecord, SessionSpeech } from '../../records/sessions/sessions.ts';
import type { BuiltInRoom, NewRoom, Rooms } from '../../rooms/rooms.ts';

export type RoomRequest = {
  /** The caller's room, validated. */
  room?: { url: string; token: string };
  /** Creates a botroom, for clients that reach this service at `publicUrl`. */
  botroom?: { publicUrl: string };
  /** Participants and metadata of a room on the built-in media server, created by default. */
  newRoom?: NewRoom;
  /**
   * Where the speech comes from, if not from the room; validated. `new_botroom`: from the client of
   * a botroom to create.
   */
  speech?: SessionSpeech | 'new_botroom';
};

type SessionRoom = {
  url: string;
  /** For the avatar. */
  token: string;
  /** Null: the room is the caller's, or a botroom. */
  builtIn: BuiltInRoom | null;
  speech: SessionSpeech | null;
};

export type RoomMakers = { rooms: Rooms; botrooms: BotroomRooms };

export async function roomFor(makers: RoomMakers, request: RoomRequest): Promise<SessionRoom> {
  const speech = await speechFor(makers, request);
  return { ...(await faceRoomFor(makers, request)), speech };
}

async function speechFor(
  { botrooms }: RoomMakers,
  { speech }: RoomRequest,
): Promise<SessionSpeech | null> {
  if (speech !== 'new_botroom') return speech ?? null;
  const { path, avatarToken } = await botrooms.create();
  return { protocol: 'botroom', url: path, token: avatarToken };
}

async function faceRoomFor(
  { rooms, botrooms }: RoomMakers,
  { room, botroom, newRoom }: RoomRequest,
): Promise<Omit<SessionRoom, 'speech'>> {
  if (room) return { ...room, builtIn: null };
  if (botroom) {
    const { path, avatarToken } = await botrooms.create();
    const url = `${botroom.publicUrl.replace(/^http/, 'ws')}${path}`;
    return { url, token: avatarToken, builtIn: null };
  }
  const made = await rooms.create(newRoom);
  return { url: made.url, token: made.avatarToken, builtIn: made };
}

type RelayedRoom = { path: string; token: string };

/** The botroom that the session's face is shown in; null: it is shown in another room. */
export const faceRelayOf = ({
  transport,
  speech,
  roomUrl,
  roomToken,
}: Pick<SessionRecord, 'transport' | 'speech' | 'roomUrl' | 'roomToken'>): RelayedRoom | null =>
  transport === 'botroom' && speech === null
    ? { path: botroomPath(roomUrl.slice(roomUrl.lastIndexOf('/') + 1)), token: roomToken }
    : null;

/** The botroom that a control plane relays for the session, if any: of its face or its speech. */
export function relayOf(session: SessionRecord): RelayedRoom | null {
  const { speech } = session;
  if (speech?.protocol === 'botroom') return { path: speech.url, token: speech.token ?? '' };
  return faceRelayOf(session);
}
