import { describe, expect, test } from 'vitest';
import type { Room } from '@livekit/rtc-node';
import { TracksNotTaken } from '../../../../../workers/avatar/transport/transport.ts';
import { untilVideoReceived } from '../../../../../workers/avatar/transport/mediaserver/received-video.ts';
import { TestClock } from '../../../../support/test-clock.ts';

const outbound = { stats: { case: 'outboundRtp', value: { stream: { kind: 'video' } } } };
const received = (kind: string) => ({
  stats: { case: 'remoteInboundRtp', value: { stream: { kind } } },
});

/** The last statistics repeat. */
function roomWith(...statistics: object[][]): Pick<Room, 'getRtcStats'> & { asked: number } {
  return {
    asked: 0,
    async getRtcStats() {
      const publisherStats = statistics[Math.min(this.asked++, statistics.length - 1)];
      return { publisherStats, subscriberStats: [] } as never;
    },
  };
}

const watch = (room: Pick<Room, 'getRtcStats'>, signal = new AbortController().signal) => {
  const clock = new TestClock();
  return { clock, watching: untilVideoReceived(room, clock, signal) };
};

describe('the video of a room', () => {
  test('is received when the media server reports it', async () => {
    const room = roomWith([outbound], [outbound, received('audio')], [outbound, received('video')]);
    const { clock, watching } = watch(room);
    await clock.pass(4_500);

    await watching;
    expect(room.asked).toBe(3);
  });

  test('is not received when the media server reports none for six seconds', async () => {
    const { clock, watching } = watch(roomWith([outbound, received('audio')]));
    const failing = expect(watching).rejects.toThrow(TracksNotTaken);
    await clock.pass(6_000);

    await failing;
  });

  test('is not asked for in a room that was left', async () => {
    const room = roomWith([]);
    const leave = new AbortController();
    const { clock, watching } = watch(room, leave.signal);
    const stopping = expect(watching).rejects.toThrow('left');
    leave.abort(new Error('left'));
    await clock.pass(6_000);

    await stopping;
    expect(room.asked).toBe(0);
  });
});
