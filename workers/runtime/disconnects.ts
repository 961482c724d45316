import { DisconnectReason, RpcError } from '@livekit/rtc-node';
import type { EndReason } from '#protocol/end-reasons.ts';

const reasons: Partial<Record<DisconnectReason, EndReason>> = {
  [DisconnectReason.DUPLICATE_IDENTITY]: 'replaced',
  [DisconnectReason.PARTICIPANT_REMOVED]: 'removed',
  [DisconnectReason.JOIN_FAILURE]: 'room_refused',
};

/**
 * The end reason for a disconnect. Deleted, shut down and unreachable rooms look the same: all
 * count as closed.
 */
export const endReasonOf = (reason: DisconnectReason): EndReason =>
  reasons[reason] ?? 'room_closed';

/** rtc-node aborts what is under way when the room ends, as it does when a user leaves. */
export const endedWithRoom = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AbortError';

/** rtc-node's errors of a connection that closes at this moment. */
const CLOSING =
  /^(engine: (connection error: closed|internal error: failed to send data packet)|unable to send packet|failed to handle request: invalid request: handle not found)/;

const failedToSend = (error: Error): boolean =>
  CLOSING.test(error.message) || ('code' in error && error.code === RpcError.ErrorCode.SEND_FAILED);

/** For a log line about a failure in a room. A lost connection is reported by itself. */
export const faultLevel = (error: unknown): 'info' | 'warn' =>
  endedWithRoom(error) || (error instanceof Error && failedToSend(error)) ? 'info' : 'warn';
