import { DisconnectReason } from '@livekit/rtc-node';
import type { EndReason } from '#protocol/end-reasons.ts';

const reasons: Partial<Record<DisconnectReason, EndReason>> = {
  [DisconnectReason.DUPLICATE_IDENTITY]: 'replaced',
  [DisconnectReason.PARTICIPANT_REMOVED]: 'removed',
  [DisconnectReason.JOIN_FAILURE]: 'room_refused',
};

/** The media server's word for why we are out. What is not ours to tell apart (deleted, shut down, unreachable) is a closed room. */
export const endReasonOf = (reason: DisconnectReason): EndReason =>
  reasons[reason] ?? 'room_closed';
