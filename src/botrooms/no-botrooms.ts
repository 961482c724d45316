import { Fault } from '../errors.ts';
import type { BotroomRooms } from './botroom-rooms.ts';

const unavailable = () =>
  Promise.reject(new Fault('not_available', { detail: 'This service relays no botrooms.' }));

/** Until the relay is built in. */
export const noBotrooms: BotroomRooms = {
  create: unavailable,
  clientToken: unavailable,
  end: () => Promise.resolve(),
};
