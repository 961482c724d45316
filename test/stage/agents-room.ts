import { newName } from '#shared/ids.ts';
import { Agent } from '../bench/rooms/agent.ts';
import type { RunningService } from '../support/processes/service.ts';
import { roomToken } from './room-token.ts';
import { FIRST_AVATAR } from '../support/cast.ts';

/** Identity of the avatar. */
export const AVATAR = 'avatar';

type Viewer = { join(url: string, token: string): Promise<unknown> };

/** An agent brings a room, which a viewer joins too, and its avatar. Both leave in the end. */
export async function openAgentsRoom(
  { mediaServer, make }: Pick<RunningService, 'mediaServer' | 'make'>,
  viewer: Viewer,
  { url }: { url: string } = mediaServer,
): Promise<{ id: string; agent: Agent }> {
  const room = newName('room');
  const seat = { kind: 'agent' } as const;
  const agent = new Agent(AVATAR);
  await agent.join(mediaServer.url, await roomToken(mediaServer, room, 'agent', seat));
  await viewer.join(mediaServer.url, await roomToken(mediaServer, room, 'viewer'));
  const token = await roomToken(mediaServer, room, AVATAR, seat);
  const { id } = await make('/v1/sessions', { avatar_id: FIRST_AVATAR.alias, url, token });
  return { id, agent };
}
