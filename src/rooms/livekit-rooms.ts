import { RoomServiceClient, TwirpError } from 'livekit-server-sdk';
import { newName } from '#shared/ids.ts';
import { Fault } from '../errors.ts';
import { avatarFor, roomToken, type Guest } from './room-token.ts';
import type { RoomIdentities, Rooms } from './rooms.ts';

type LiveKitOptions = {
  url: string;
  /** Address for agents and browsers. */
  publicUrl: string;
  apiKey: string;
  apiSecret: string;
  /** Distinguishes our rooms from those of other services on the same media server. */
  mark: string;
};

/** Published plugins name their own avatar identity. */
const DEFAULT_IDENTITIES: RoomIdentities = {
  avatar: 'troupe-avatar',
  agent: 'agent',
  viewer: 'viewer',
};

/**
 * How long a room stays open before its first participant, and after the last one left. Avatars and
 * agents do not count. The second is longer than the grace period of a call's user.
 */
const EMPTY_SECONDS = 300;
const DEPARTURE_SECONDS = 90;

const REQUEST_SECONDS = 3;
const GUEST_TOKEN_LIFE = '6 hours';

export function liveKitRooms(options: LiveKitOptions): Rooms {
  const { url, publicUrl, apiKey, apiSecret, mark } = options;
  const service = new RoomServiceClient(url, apiKey, apiSecret, {
    requestTimeout: REQUEST_SECONDS,
    failover: false,
  });

  const prefix = `troupe-${mark}`;
  const token = (room: string, guest: Guest) => roomToken({ apiKey, apiSecret }, room, guest);

  return {
    async create({
      identities: { avatar, agent, viewer } = DEFAULT_IDENTITIES,
      viewerName,
      metadata = '',
      tokenSeconds,
      viewerSeconds = tokenSeconds,
    } = {}) {
      const name = newName(prefix);
      const [avatarToken, agentToken, viewerToken] = await Promise.all([
        token(name, {
          ...avatarFor(agent, avatar),
          ...(tokenSeconds !== undefined && { ttl: tokenSeconds }),
        }),
        token(name, {
          identity: agent,
          ttl: tokenSeconds ?? GUEST_TOKEN_LIFE,
          kind: 'agent',
          canUpdateOwnMetadata: true,
        }),
        token(name, {
          identity: viewer,
          name: viewerName ?? viewer,
          ttl: viewerSeconds ?? GUEST_TOKEN_LIFE,
        }),
        createRoom(service, name, metadata),
      ]);
      return { name, url, publicUrl, avatarToken, agentToken, viewerToken };
    },

    viewerToken: (room, { identity, name, seconds }) =>
      token(room, { identity, name: name ?? identity, ttl: seconds }),

    setMetadata: (name, metadata) => unlessGone(service.updateRoomMetadata(name, metadata)),
    close: (name) => unlessGone(service.deleteRoom(name)),

    async list() {
      const rooms = await service.listRooms();
      return rooms.map(({ name }) => name).filter((name) => name.startsWith(`${prefix}-`));
    },

    async isUp() {
      try {
        // The cheapest request that checks key and secret: no room has this name.
        await service.listRooms(['troupe-is-it-up']);
        return true;
      } catch {
        return false;
      }
    },
  };
}

async function createRoom(
  service: RoomServiceClient,
  name: string,
  metadata: string,
): Promise<void> {
  try {
    await service.createRoom({
      name,
      emptyTimeout: EMPTY_SECONDS,
      departureTimeout: DEPARTURE_SECONDS,
      metadata,
    });
  } catch (cause) {
    throw new Fault('at_capacity', {
      detail: 'The media server does not answer. Please try again shortly.',
      retryAfterSeconds: 2,
      cause,
    });
  }
}

async function unlessGone(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

const isNotFound = (error: unknown): boolean => error instanceof TwirpError && error.status === 404;
