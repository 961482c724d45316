import { randomUUID } from 'node:crypto';
import type { ServiceFacts } from '../../../src/start/messages/start-messages.ts';
import { roomToken } from '../../stage/room-token.ts';

export type BenchRoom = {
  id: string;
  url: string;
  avatar: string;
  avatarToken: string;
  agentToken: string;
  viewerToken: string;
};

/** A new room with tokens for agent, viewer and avatar, as an agent's plugin would make them. */
export async function makeRoom(mediaServer: ServiceFacts['mediaServer']): Promise<BenchRoom> {
  const id = `bench-${randomUUID()}`;
  const avatar = 'bench-avatar';
  return {
    id,
    url: mediaServer.url,
    avatar,
    avatarToken: await roomToken(mediaServer, id, avatar, { kind: 'agent', behalf: 'agent' }),
    agentToken: await roomToken(mediaServer, id, 'agent', { kind: 'agent' }),
    viewerToken: await roomToken(mediaServer, id, 'viewer'),
  };
}
