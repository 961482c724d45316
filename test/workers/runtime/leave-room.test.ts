import type { Room } from '@livekit/rtc-node';
import { describe, expect, test, vi } from 'vitest';
import { leaveRoom } from '../../../workers/runtime/leave-room.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { TestClock } from '../../support/test-clock.ts';

const dispose = vi.fn();

const roomThat = (disconnect: () => Promise<void>) =>
  ({
    disconnect,
    onFfiEvent: () => {},
    remoteParticipants: new Map(),
    ffiHandle: { dispose },
  }) as unknown as Room;

describe('a room that is left', () => {
  test('is released when the media server has answered', async () => {
    const clock = new TestClock();

    const hasLeft = await leaveRoom(
      roomThat(async () => {}),
      clock,
      quietLog,
    );

    expect(hasLeft).toBe(true);
    expect(dispose).toHaveBeenCalledOnce();
    expect(clock.waiting).toBe(0);
  });

  test('is released after five seconds without an answer', async () => {
    dispose.mockClear();
    const clock = new TestClock();
    const leaving = leaveRoom(
      roomThat(() => new Promise(() => {})),
      clock,
      quietLog,
    );

    clock.advance(4_999);
    expect(dispose).not.toHaveBeenCalled();
    clock.advance(1);

    expect(await leaving).toBe(false);
    expect(dispose).toHaveBeenCalledOnce();
  });
});
