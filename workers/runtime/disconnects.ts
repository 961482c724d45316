import { DisconnectReason } from '@livekit/rtc-node';
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

/** For a log line about something that failed in a room. */
export const faultLevel = (error: unknown): 'info' | 'warn' =>
  endedWithRoom(error) ? 'info' : 'warn';
