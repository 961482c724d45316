import { randomUUID } from 'node:crypto';
import { AccessToken } from 'livekit-server-sdk';
import type { ServiceFacts } from '../../../src/start/messages/start-messages.ts';

export type BenchRoom = {
  id: string;
  url: string;
  avatar: string;
  avatarToken: string;
  agentToken: string;
  viewerToken: string;
};

/** A new room with tokens for agent, viewer and avatar, as an agent's plugin would make them. */
export async function makeRoom({
  url,
  apiKey,
  apiSecret,
}: ServiceFacts['mediaServer']): Promise<BenchRoom> {
  const id = `bench-${randomUUID()}`;
  const seat = (identity: string, kind?: 'agent', attributes?: Record<string, string>) => {
    const token = new AccessToken(apiKey, apiSecret, {
      identity,
      ...(attributes && { attributes }),
    });
    token.addGrant({ roomJoin: true, room: id });
    if (kind) token.kind = kind;
    return token.toJwt();
  };
  const avatar = 'bench-avatar';
  return {
    id,
    url,
    avatar,
    avatarToken: await seat(avatar, 'agent', { 'lk.publish_on_behalf': 'agent' }),
    agentToken: await seat('agent', 'agent'),
    viewerToken: await seat('viewer'),
  };
}
