import { AccessToken, RoomServiceClient, TwirpError } from 'livekit-server-sdk';
import { newName } from '#shared/ids.ts';
import { Fault } from '../errors.ts';
import type { RoomIdentities, Rooms } from './rooms.ts';

export type LiveKitOptions = {
  url: string;
  /** As agents and browsers reach it. */
  publicUrl: string;
  apiKey: string;
  apiSecret: string;
};

/** The published plugins bring their own identity for the avatar. */
const USUAL: RoomIdentities = { avatar: 'troupe-avatar', agent: 'agent', viewer: 'viewer' };

/** How long an empty room waits for its first guest, and for one to come back. */
const EMPTY_SECONDS = 300;
const DEPARTURE_SECONDS = 20;

const REQUEST_SECONDS = 3;
/** The avatar's token stays inside the service and must still open the room when another worker takes over. */
const AVATAR_TOKEN_LIFE = '7 days';
const GUEST_TOKEN_LIFE = '6 hours';

export function liveKitRooms(options: LiveKitOptions): Rooms {
  const { url, publicUrl, apiKey, apiSecret } = options;
  const service = new RoomServiceClient(url, apiKey, apiSecret, {
    requestTimeout: REQUEST_SECONDS,
    failover: false,
  });

  const token = async (room: string, guest: Guest) => {
    const { identity, ttl, kind, attributes } = guest;
    const made = new AccessToken(apiKey, apiSecret, { identity, name: identity, ttl, attributes });
    if (kind) made.kind = kind;
    made.addGrant({ roomJoin: true, room });
    return made.toJwt();
  };

  return {
    async create({ avatar, agent, viewer } = USUAL) {
      const name = newName('troupe');
      const [avatarToken, agentToken, viewerToken] = await Promise.all([
        token(name, avatarFor(agent, avatar)),
        token(name, { identity: agent, ttl: GUEST_TOKEN_LIFE, kind: 'agent', attributes: {} }),
        token(name, { identity: viewer, ttl: GUEST_TOKEN_LIFE, attributes: {} }),
        createRoom(service, name),
      ]);
      return { name, url, publicUrl, avatarToken, agentToken, viewerToken };
    },

    async close(name) {
      try {
        await service.deleteRoom(name);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },

    async isUp() {
      try {
        // A room of this name never exists: the shortest question that needs key and secret to be right.
        await service.listRooms(['troupe-is-it-up']);
        return true;
      } catch {
        return false;
      }
    },
  };
}

type Guest = {
  identity: string;
  ttl: string;
  kind?: 'agent';
  attributes: Record<string, string>;
};

const avatarFor = (agent: string, identity: string): Guest => ({
  identity,
  ttl: AVATAR_TOKEN_LIFE,
  kind: 'agent',
  // Makes the agent frameworks skip the avatar when they look for the user.
  attributes: { 'lk.publish_on_behalf': agent },
});

async function createRoom(service: RoomServiceClient, name: string): Promise<void> {
  try {
    await service.createRoom({
      name,
      emptyTimeout: EMPTY_SECONDS,
      departureTimeout: DEPARTURE_SECONDS,
    });
  } catch (cause) {
    throw new Fault('at_capacity', {
      detail: 'The media server does not answer. Please try again shortly.',
      retryAfterSeconds: 2,
      cause,
    });
  }
}

const isNotFound = (error: unknown): boolean => error instanceof TwirpError && error.status === 404;
