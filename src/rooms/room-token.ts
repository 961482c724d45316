import { AccessToken } from 'livekit-server-sdk';

export type MediaServerKey = { apiKey: string; apiSecret: string };

export type Guest = {
  identity: string;
  name?: string;
  ttl: string;
  kind?: 'agent';
  attributes?: Record<string, string>;
  /** It changes its own attributes: what state it is in. */
  mayTellOfItself?: boolean;
};

/** The avatar's token stays inside the service and must still open the room when another worker takes over. */
const AVATAR_TOKEN_LIFE = '7 days';

export async function roomToken(
  { apiKey, apiSecret }: MediaServerKey,
  room: string,
  { kind, identity, name = identity, ttl, attributes = {}, mayTellOfItself }: Guest,
): Promise<string> {
  const made = new AccessToken(apiKey, apiSecret, { identity, name, ttl, attributes });
  if (kind) made.kind = kind;
  made.addGrant({ roomJoin: true, room, ...(mayTellOfItself && { canUpdateOwnMetadata: true }) });
  return made.toJwt();
}

/** An avatar that speaks for the agent of that identity. */
export const avatarFor = (agent: string, identity: string, name = identity): Guest => ({
  identity,
  name,
  ttl: AVATAR_TOKEN_LIFE,
  kind: 'agent',
  // Makes the agent frameworks skip the avatar when they look for the user.
  attributes: { 'lk.publish_on_behalf': agent },
});
