import { AccessToken } from 'livekit-server-sdk';

export type MediaServerKey = { apiKey: string; apiSecret: string };

export type Guest = {
  identity: string;
  name?: string;
  /** A span such as `6 hours`, or seconds. */
  ttl: string | number;
  kind?: 'agent';
  attributes?: Record<string, string>;
  /** Agents publish their state in their own attributes. */
  canUpdateOwnMetadata?: boolean;
};

/**
 * Never leaves the service. Must outlast the session: another worker may join with it after a
 * handover.
 */
const AVATAR_TOKEN_LIFE = '7 days';

export async function roomToken(
  { apiKey, apiSecret }: MediaServerKey,
  room: string,
  { kind, identity, name = identity, ttl, attributes = {}, canUpdateOwnMetadata }: Guest,
): Promise<string> {
  const token = new AccessToken(apiKey, apiSecret, { identity, name, ttl, attributes });
  if (kind) token.kind = kind;
  token.addGrant({ roomJoin: true, room, ...(canUpdateOwnMetadata && { canUpdateOwnMetadata }) });
  return token.toJwt();
}

/** The avatar of the agent with identity `agent`. */
export const avatarFor = (agent: string, identity: string, name = identity): Guest => ({
  identity,
  name,
  ttl: AVATAR_TOKEN_LIFE,
  kind: 'agent',
  // Agent frameworks skip participants with this attribute when they look for the user.
  attributes: { 'lk.publish_on_behalf': agent },
});
