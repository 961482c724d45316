import type { BotroomCloseName } from '#protocol/botroom/close-codes.ts';
import type { Upgrade } from '#shared/network/upgrade-router.ts';
import type { BotroomRooms } from './botroom-rooms.ts';
import type { ClientCodec } from './client-codec.ts';

/** Rooms that relay between a client's socket and the worker that performs its session. */
export interface Botrooms extends BotroomRooms {
  /**
   * Seats a client that a vendor adapter has let in. Completes the handshake; `codec` translates
   * from then on. A room of another control plane gets the handshake as it came. `token`: the
   * avatar's.
   */
  seatClient(token: string, upgrade: Upgrade, codec: ClientCodec): Promise<void>;
  /** Completes the handshake to tell a client why it may not come in. */
  turnAway(upgrade: Upgrade, codec: ClientCodec, name: BotroomCloseName, message: string): void;
}
