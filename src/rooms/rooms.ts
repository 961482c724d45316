/** A room on our own media server, with the three tokens to join it. */
export type BuiltInRoom = {
  name: string;
  /** Media server address for avatar workers. */
  url: string;
  /** Media server address for agents and browsers. */
  publicUrl: string;
  avatarToken: string;
  agentToken: string;
  viewerToken: string;
};

/** Participant identities. The avatar leaves when its agent has left. */
export type RoomIdentities = { avatar: string; agent: string; viewer: string };

export type NewRoom = {
  identities?: RoomIdentities;
  /** Name of the viewer as a participant. Default: the identity. */
  viewerName?: string | null;
  /** Readable by all participants. */
  metadata?: string;
  /** Life of the tokens. Default: hours for guests, days for the avatar. */
  tokenSeconds?: number;
  /** Life of the viewer's token. Default: `tokenSeconds`. */
  viewerSeconds?: number;
};

export type Viewer = { identity: string; name: string | null; seconds: number };

export interface Rooms {
  /** Uses default identities unless given. */
  create(options?: NewRoom): Promise<BuiltInRoom>;
  /** Another token for the viewer of a room. */
  viewerToken(room: string, viewer: Viewer): Promise<string>;
  /** Replaces the room's metadata. Ignores a room that is already closed. */
  setMetadata(name: string, metadata: string): Promise<void>;
  /** Removes all participants. Ignores a room that is already closed. */
  close(name: string): Promise<void>;
  /** Names of the open rooms that `create` made. */
  list(): Promise<string[]>;
  isUp(): Promise<boolean>;
}
