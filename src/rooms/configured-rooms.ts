/* The media servers that the configuration names: the one of our own rooms, and others whose key we hold. */
import { createHash } from 'node:crypto';
import { required, type Config } from '../config.ts';
import { liveKitRooms } from './livekit-rooms.ts';
import { MediaServer, readMediaServers } from './media-servers.ts';
import { noRooms } from './no-rooms.ts';
import type { Rooms } from './rooms.ts';

export function openRooms(config: Config, secret: Buffer): Rooms {
  if (!config.LIVEKIT_URL) return noRooms;
  return liveKitRooms({
    url: config.LIVEKIT_URL,
    publicUrl: config.LIVEKIT_PUBLIC_URL ?? config.LIVEKIT_URL,
    apiKey: required(config, 'LIVEKIT_API_KEY'),
    apiSecret: required(config, 'LIVEKIT_API_SECRET'),
    mark: createHash('sha256').update('rooms').update(secret).digest('hex').slice(0, 8),
  });
}

/** Those whose key and secret we hold: our own one first. */
export function knownMediaServers(config: Config): MediaServer[] {
  const { LIVEKIT_URL: url, LIVEKIT_API_KEY: apiKey, LIVEKIT_API_SECRET: apiSecret } = config;
  const own = url && apiKey && apiSecret ? [{ url, apiKey, apiSecret }] : [];
  const others = config.DOOR_MEDIA_SERVERS ? readMediaServers(config.DOOR_MEDIA_SERVERS) : [];
  const publicUrl = config.LIVEKIT_PUBLIC_URL;
  return [...own.map((server) => ({ ...server, publicUrl })), ...others].map(
    (options) => new MediaServer(options),
  );
}
