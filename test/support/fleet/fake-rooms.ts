import type { BuiltInRoom, NewRoom, RoomIdentities, Rooms } from '../../../src/rooms/rooms.ts';

/** A media server that is only remembered: which rooms are open, and whether it answers. */
export class FakeRooms implements Rooms {
  readonly open = new Set<string>();
  /** Who was to meet in the rooms for which the caller said it, in order. */
  readonly identities: RoomIdentities[] = [];
  /** What is said in the rooms of which something is said, in order. */
  readonly metadata: string[] = [];
  /** What they were told later, in order. */
  readonly told: [name: string, metadata: string][] = [];
  isAnswering = true;
  readonly #name: string;
  #made = 0;

  /** What its rooms are called, with a number: two media servers have no room in common. */
  constructor(name = 'room') {
    this.#name = name;
  }

  async create({ identities, metadata }: NewRoom = {}): Promise<BuiltInRoom> {
    if (!this.isAnswering) throw new Error('the media server is away');
    if (identities) this.identities.push(identities);
    if (metadata) this.metadata.push(metadata);
    const name = `${this.#name}-${(this.#made += 1)}`;
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

  async tell(name: string, metadata: string): Promise<void> {
    if (!this.isAnswering) throw new Error('the media server is away');
    this.told.push([name, metadata]);
  }

  async close(name: string): Promise<void> {
    if (!this.isAnswering) throw new Error('the media server is away');
    this.open.delete(name);
  }

  async list(): Promise<string[]> {
    if (!this.isAnswering) throw new Error('the media server is away');
    return [...this.open];
  }

  async isUp(): Promise<boolean> {
    return this.isAnswering;
  }
}
