import type { Room } from '@livekit/rtc-node';
import { delay, type Clock } from '#shared/clock.ts';
import { TracksNotTaken } from '../transport.ts';

/** The media server reports once a second what it receives. */
const CHECK_EVERY_MS = 1_500;
const CHECKS = 4;

/**
 * Resolves when the media server reports that it receives the room's video. Rejects with
 * `TracksNotTaken` when it has not done so after six seconds, or with the signal's reason.
 *
 * The SDK can lose a negotiation (rtc-ffi-bindings 0.12.73, `queue_negotiation`): a request that
 * comes just as another negotiation ends has no effect, and the SDK reports no error. A negotiation
 * may also wait for itself (`set_remote_description`). Viewers would never see the avatar. This
 * happened once in some thousand rooms on a busy machine.
 */
export async function untilVideoReceived(
  room: Pick<Room, 'getRtcStats'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  for (let check = 0; check < CHECKS; check += 1) {
    await delay(clock, CHECK_EVERY_MS, signal);
    if (await isVideoReceived(room)) return;
  }
  signal.throwIfAborted();
  throw new TracksNotTaken(
    `the media server received no video within ${CHECKS * CHECK_EVERY_MS} ms`,
  );
}

async function isVideoReceived(room: Pick<Room, 'getRtcStats'>): Promise<boolean> {
  const { publisherStats } = await room.getRtcStats();
  return publisherStats.some(
    ({ stats }) => stats.case === 'remoteInboundRtp' && stats.value.stream?.kind === 'video',
  );
}
