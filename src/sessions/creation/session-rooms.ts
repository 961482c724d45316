/* The rooms of sessions: where the face is shown, and the botroom that relays for it. */
import type { Log } from '#shared/log.ts';
import type { BotroomRooms } from '../../botrooms/botroom-rooms.ts';
import type { SessionRecord, SessionSpeech } from '../../records/sessions/sessions.ts';
import type { BuiltInRoom, NewRoom, Rooms } from '../../rooms/rooms.ts';
import type { SessionEvents } from '../session-events.ts';
import { relayOf } from './relayed-room.ts';

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

type FaceRoom = {
  url: string;
  /** For the avatar. */
  token: string;
  /** Null: the room is the caller's, or a botroom. */
  builtIn: BuiltInRoom | null;
};

export type SessionRoom = FaceRoom & { speech: SessionSpeech | null };

type SessionRoomsParts = {
  rooms: Pick<Rooms, 'create' | 'close'>;
  botrooms: Pick<BotroomRooms, 'create' | 'end'>;
  /** Events of the sessions that this control plane owns. */
  events: SessionEvents;
  log: Log;
};

export class SessionRooms {
  readonly #parts: SessionRoomsParts;
  readonly #closing = new Set<Promise<void>>();

  constructor(parts: SessionRoomsParts) {
    this.#parts = parts;
    parts.events.on('session.ended', ({ session }) => this.close(session));
  }

  async open(request: RoomRequest): Promise<SessionRoom> {
    const speech = await this.#speechFor(request);
    return { ...(await this.#faceRoomFor(request)), speech };
  }

  /** Only rooms of ours. The media server removes an empty room itself if this fails. */
  close(session: SessionRecord): void {
    const { rooms, botrooms } = this.#parts;
    const { id, builtInRoom, endReason } = session;
    if (builtInRoom !== null) this.#close(id, rooms.close(builtInRoom));
    const relay = relayOf(session);
    if (relay) this.#close(id, botrooms.end(relay, endReason ?? 'removed'));
  }

  /** Resolves when no room is being closed. */
  async settled(): Promise<void> {
    await Promise.all(this.#closing);
  }

  #close(sessionId: string, work: Promise<void>): void {
    const closing = work
      .catch((err: unknown) => this.#parts.log.warn({ sessionId, err }, 'room not closed'))
      .finally(() => this.#closing.delete(closing));
    this.#closing.add(closing);
  }

  async #speechFor({ speech }: RoomRequest): Promise<SessionSpeech | null> {
    if (speech !== 'new_botroom') return speech ?? null;
    const { path, avatarToken } = await this.#parts.botrooms.create();
    return { protocol: 'botroom', url: path, token: avatarToken };
  }

  async #faceRoomFor({ room, botroom, newRoom }: RoomRequest): Promise<FaceRoom> {
    const { rooms, botrooms } = this.#parts;
    if (room) return { ...room, builtIn: null };
    if (botroom) {
      const { path, avatarToken } = await botrooms.create();
      const url = `${botroom.publicUrl.replace(/^http/, 'ws')}${path}`;
      return { url, token: avatarToken, builtIn: null };
    }
    const builtIn = await rooms.create(newRoom);
    return { url: builtIn.url, token: builtIn.avatarToken, builtIn };
  }
}
