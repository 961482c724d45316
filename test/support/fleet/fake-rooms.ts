import type {
  BuiltInRoom,
  NewRoom,
  RoomIdentities,
  Rooms,
  Viewer,
} from '../../../src/rooms/rooms.ts';

/** A media server double: records open rooms and can be made unreachable. */
export class FakeRooms implements Rooms {
  readonly open = new Set<string>();
  /** Expected participants of the rooms for which the caller named them, in order. */
  readonly identities: RoomIdentities[] = [];
  /** What the rooms were created with, in order. */
  readonly created: NewRoom[] = [];
  /** Room metadata, where given, in order. */
  readonly metadata: string[] = [];
  /** Later changes of metadata, in order. */
  readonly metadataChanges: [name: string, metadata: string][] = [];
  isAnswering = true;
  readonly #name: string;
  #count = 0;
  #renewals = 0;

  /** Prefix of room names, followed by a number. Two media servers share no room name. */
  constructor(name = 'room') {
    this.#name = name;
  }

  async create(options: NewRoom = {}): Promise<BuiltInRoom> {
    if (!this.isAnswering) throw new Error('the media server is away');
    const { identities, metadata } = options;
    this.created.push(options);
    if (identities) this.identities.push(identities);
    if (metadata) this.metadata.push(metadata);
    const name = `${this.#name}-${(this.#count += 1)}`;
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

  async viewerToken(room: string, { identity }: Viewer): Promise<string> {
    return `${identity} of ${room}, renewal ${(this.#renewals += 1)}`;
  }

  async setMetadata(name: string, metadata: string): Promise<void> {
    if (!this.isAnswering) throw new Error('the media server is away');
    this.metadataChanges.push([name, metadata]);
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
