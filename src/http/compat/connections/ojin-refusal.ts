import type { ClientCodec } from '../../../botrooms/client-codec.ts';
import { writeError } from './ojin-messages.ts';

/** For a client that is not let in. Its program gets the code. */
export const ojinRefusal = (status: number): ClientCodec => ({
  wants: [],
  read: () => [],
  write: ({ header }) => [writeError(codeOf(status), String(header['message']), 0)],
});

function codeOf(status: number): string {
  switch (status) {
    case 401:
      return 'AUTH_FAILED';
    case 402:
      return 'USAGE_EXHAUSTED';
    case 403:
      return 'FORBIDDEN';
    // All fields are those of the caller's room.
    case 422:
      return 'WEBRTC_INVALID_SETTINGS';
    case 429:
      return 'LIMIT_REACHED';
    case 503:
    case 507:
      return 'NO_BACKEND_SERVER_AVAILABLE';
    default:
      return 'SERVER_ERROR';
  }
}
