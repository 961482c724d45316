import { Fault } from '../errors.ts';
import type { Rooms } from './rooms.ts';

/** Used without a media server of our own: every caller brings a room. */
export const noRooms: Rooms = {
  create(options) {
    return Promise.reject(
      options?.identities
        ? // A caller that sets identities cannot bring a room instead.
          new Fault('not_available', { detail: 'This service has no media server of its own.' })
        : new Fault('invalid_request', { problems: [missing('url'), missing('token')] }),
    );
  },
  viewerToken: () =>
    Promise.reject(
      new Fault('not_available', { detail: 'This service has no media server of its own.' }),
    ),
  setMetadata: () => Promise.resolve(),
  close: () => Promise.resolve(),
  list: () => Promise.resolve([]),
  // Sessions need nothing of it.
  isUp: () => Promise.resolve(true),
};

const missing = (name: string) => ({
  type: 'missing',
  loc: ['body', name],
  msg: 'Field required: this service has no media server of its own.',
  input: null,
});
