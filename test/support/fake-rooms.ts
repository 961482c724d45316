import type { BuiltInRoom, RoomIdentities, Rooms } from '../../src/rooms/rooms.ts';

/** A media server that is only remembered: which rooms are open, and whether it answers. */
export class FakeRooms implements Rooms {
  readonly open = new Set<string>();
  /** Who was to meet in the rooms for which the caller said it, in order. */
  readonly identities: RoomIdentities[] = [];
  isAnswering = true;
  #made = 0;

  async create(identities?: RoomIdentities): Promise<BuiltInRoom> {
    if (!this.isAnswering) throw new Error('the media server is away');
    if (identities) this.identities.push(identities);
    const name = `room-${(this.#made += 1)}`;
    this.open.add(name);
    return {
      name,
      url: 'ws://media.internal',
      publicUrl: 'wss://media.example',
      avatarToken: `avatar of ${name}`,
      agentToken: `agent of ${name}`,
      viewerToken: `viewer of ${name}`,
    };
  }

  async close(name: string): Promise<void> {
    if (!this.isAnswering) throw new Error('the media server is away');
    this.open.delete(name);
  }

  async isUp(): Promise<boolean> {
    return this.isAnswering;
  }
}
