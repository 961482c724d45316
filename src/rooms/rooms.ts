/** A room on the built-in media server, and what each of the three who meet in it needs to join. */
export type BuiltInRoom = {
  name: string;
  /** As the avatar worker reaches the media server. */
  url: string;
  /** As agents and browsers reach it. */
  publicUrl: string;
  avatarToken: string;
  agentToken: string;
  viewerToken: string;
};

/** Under which identities they meet. The avatar speaks for the agent, and leaves when the agent has left. */
export type RoomIdentities = { avatar: string; agent: string; viewer: string };

/** `metadata`: what everybody in the room may read of it. */
export type NewRoom = { identities?: RoomIdentities; metadata?: string };

/** The media server, as the rest of the control plane sees it. */
export interface Rooms {
  /** Identities are the service's usual ones unless they are given. */
  create(options?: NewRoom): Promise<BuiltInRoom>;
  /** What everybody in it may read of it from now on. A room that is gone already is no error. */
  tell(name: string, metadata: string): Promise<void>;
  /** Everybody in it is sent away. A room that is gone already is no error. */
  close(name: string): Promise<void>;
  /** Names of those that `create` made and that are open. */
  list(): Promise<string[]>;
  isUp(): Promise<boolean>;
}
