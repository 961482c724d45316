import type { EndReason } from '#protocol/end-reasons.ts';

export type NewBotroom = {
  id: string;
  /** Path of its socket at the control plane: `/v1/botrooms/<id>`. */
  path: string;
  /** For the client's socket. Expires in minutes: only connecting needs it. */
  clientToken: string;
  /** For the workers' sockets. Never expires. */
  avatarToken: string;
};

/** The part of the relay that sessions use. */
export interface BotroomRooms {
  create(): Promise<NewBotroom>;
  /** Another client token for the room that `token`, perhaps an expired one, belongs to. */
  clientToken(token: string): Promise<string>;
  /**
   * The session is over: closes the sockets of the room with 4410, at whichever control plane
   * relays it. Ignores a room that is closed.
   */
  end(room: { path: string; token: string }, reason: EndReason): Promise<void>;
}
