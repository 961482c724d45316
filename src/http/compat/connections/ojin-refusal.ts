import type { ClientCodec } from '../../../botrooms/client-codec.ts';
import { writeError } from './ojin-messages.ts';

/** Sends the reason to a refused client. The client's program gets the code. */
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
    // Only fields of the caller's room can be invalid.
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
