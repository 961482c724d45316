/*
 * Rooms that callers bring. Workers connect to them, so their addresses are subject to the address
 * policy: when the session is created, and in the worker at each connection. Media servers that the
 * operator configured or permits are exempt. The keys of the first are known, so the token is
 * checked instead.
 */
import type { Outgoing } from '#shared/network/address-policy.ts';
import { isSameServer } from '#shared/network/same-server.ts';
import type { Clock } from '#shared/clock.ts';
import type { AssignedRoom } from '#protocol/worker/gateway-messages.ts';
import { problem } from '../errors.ts';
import { AddressRefusals } from './address-refusals.ts';
import { checkCallerRoom, locOf, type CallerRoom, type RoomFieldPaths } from './room-check.ts';
import type { MediaServer } from './media-servers.ts';

/** Where a worker joins a room. */
export type RoomAddress = Omit<AssignedRoom, 'token'>;

export type CallerRooms = {
  /** Throws a 422 for a room that is bound to fail, or at an address that callers may not use. */
  check(room: CallerRoom, names: RoomFieldPaths): Promise<void>;
  addressOf(url: string): RoomAddress;
};

type CallerRoomsParts = {
  /** Media servers of the operator. */
  servers: readonly MediaServer[];
  /** Other media servers that the operator permits. */
  addresses: readonly string[];
  outgoing: Pick<Outgoing, 'networks' | 'addressesOf'>;
  clock: Clock;
};

export function createCallerRooms({
  servers,
  addresses,
  outgoing,
  clock,
}: CallerRoomsParts): CallerRooms {
  const serverAt = (url: string) => servers.find((server) => server.isAt(url));
  const permittedAt = (url: string) => addresses.find((address) => isSameServer(address, url));
  const refusals = new AddressRefusals(outgoing, clock);

  return {
    async check(room, names) {
      checkCallerRoom(room, names, clock.now());
      const server = serverAt(room.url);
      if (server) {
        const why = await server.tokenRefusal(room.token, clock.now());
        // The token is a secret and must not appear in logged replies.
        if (why) throw problem('value_error', locOf(names.token), why, null);
      } else if (permittedAt(room.url) === undefined) {
        const why = await refusals.of(room.url);
        if (why) throw problem('value_error', locOf(names.url), why, room.url);
      }
    },

    // The operator's address also replaces the path, which the caller chose.
    addressOf: (url) => {
      const address = serverAt(url)?.url ?? permittedAt(url);
      return address === undefined ? { url, networks: outgoing.networks } : { url: address };
    },
  };
}
