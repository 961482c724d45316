import { AccessToken, type VideoGrant } from 'livekit-server-sdk';

export type Keys = { apiKey: string; apiSecret: string };

/** `behalf`: the agent whose sound an avatar publishes. `ttl`: in seconds. */
export type Seat = {
  kind?: 'agent';
  behalf?: string;
  ttl?: number;
  grants?: VideoGrant;
};

/** Lets a participant of this identity join a room of the media server with these keys. */
export function roomToken(
  { apiKey, apiSecret }: Keys,
  room: string,
  identity: string,
  { kind, behalf, ttl, grants }: Seat = {},
): Promise<string> {
  const token = new AccessToken(apiKey, apiSecret, {
    identity,
    ...(ttl !== undefined && { ttl }),
    ...(behalf && { attributes: { 'lk.publish_on_behalf': behalf } }),
  });
  token.addGrant({ roomJoin: true, room, ...grants });
  if (kind) token.kind = kind;
  return token.toJwt();
}
