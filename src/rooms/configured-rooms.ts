import { createHash } from 'node:crypto';
import { liveKitRooms } from './livekit-rooms.ts';
import { MediaServer, readMediaServers } from './media-servers.ts';
import { noRooms } from './no-rooms.ts';
import type { Rooms } from './rooms.ts';

/** Our own media server. */
type MediaServerSettings = {
  /** Address for avatar workers. */
  url: string;
  /** Address for agents and browsers. */
  publicUrl: string;
  apiKey: string;
  apiSecret: string;
};

/** `secret` marks the rooms of this service on a shared media server. */
export const openRooms = (ownServer: MediaServerSettings | null, secret: Buffer): Rooms =>
  ownServer
    ? liveKitRooms({
        ...ownServer,
        mark: createHash('sha256').update('rooms').update(secret).digest('hex').slice(0, 8),
      })
    : noRooms;

/** All media servers whose key and secret we hold. `otherServers`: `wss://KEY:SECRET@host,...`. */
export const knownMediaServers = (
  ownServer: MediaServerSettings | null,
  otherServers: string | undefined,
): MediaServer[] =>
  [...(ownServer ? [ownServer] : []), ...(otherServers ? readMediaServers(otherServers) : [])].map(
    (options) => new MediaServer(options),
  );
