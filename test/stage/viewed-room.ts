import { newName } from '#shared/ids.ts';
import { Agent } from '../bench/rooms/agent.ts';
import { Viewer } from '../bench/rooms/viewers/viewer.ts';
import type { Performance, PerformedRooms } from './performed-room.ts';

export type ViewedRoom = Performance & { behalf?: string | null; ttl?: number };

/** Agent and viewer are in the room, the avatar joins and is seen. */
export async function openViewedRoom(
  rooms: PerformedRooms,
  avatar: string,
  { behalf = 'agent', ttl, ...performance }: ViewedRoom = {},
) {
  const room = newName('room');
  const agentToken = await rooms.token(room, 'agent', { kind: 'agent' });
  const agent = await rooms.join(new Agent(avatar), agentToken);
  const viewer = await rooms.join(new Viewer(avatar), await rooms.token(room, 'viewer'));
  const firstFrame = viewer.nextFrame();
  const seat = { kind: 'agent', ...(behalf !== null && { behalf }), ...(ttl && { ttl }) } as const;
  const session = rooms.perform(await rooms.token(room, avatar, seat), performance);
  await firstFrame;
  return { room, agent, viewer, session };
}
