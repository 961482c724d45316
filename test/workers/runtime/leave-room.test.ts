import { FfiHandle } from '@livekit/rtc-ffi-bindings';
import type { Room } from '@livekit/rtc-node';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { leaveRoom } from '../../../workers/runtime/leave-room.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { TestClock } from '../../support/test-clock.ts';

/** A handle that the engine never gave out is like one that it has dropped. */
const UNKNOWN = 1n << 40n;

const dispose = vi.fn();

const roomThat = (disconnect: () => Promise<void>) =>
  ({
    disconnect,
    onFfiEvent: () => {},
    remoteParticipants: new Map(),
    ffiHandle: { dispose },
  }) as unknown as Room;

const never = () => new Promise<void>(() => {});

let clock: TestClock;
beforeEach(() => {
  dispose.mockClear();
  clock = new TestClock();
});

const leave = (disconnect: () => Promise<void>, connecting: Promise<void> | null) =>
  leaveRoom({ room: roomThat(disconnect), connecting, clock, log: quietLog });

describe('a room that is left', () => {
  test('is released when the media server has answered', async () => {
    expect(await leave(async () => {}, Promise.resolve())).toBe(true);

    expect(dispose).toHaveBeenCalledOnce();
    expect(clock.waiting).toBe(0);
  });

  test('is released when it could not be joined', async () => {
    expect(await leave(async () => {}, Promise.reject(new Error('refused')))).toBe(true);

    expect(dispose).toHaveBeenCalledOnce();
  });

  test('is released after five seconds without an answer', async () => {
    const leaving = leave(never, null);
    await clock.pass(4_999);
    expect(dispose).not.toHaveBeenCalled();
    await clock.pass(1);

    expect(await leaving).toBe(false);
    expect(dispose).toHaveBeenCalledOnce();
  });

  test('is released although it never finishes connecting', async () => {
    const leaving = leave(async () => {}, never());
    await clock.pass(15_000);

    expect(await leaving).toBe(false);
    expect(dispose).toHaveBeenCalledOnce();
  });

  test('is released as a whole although the engine has dropped its participant', async () => {
    const room = roomThat(async () => {});
    const localParticipant = { trackPublications: new Map(), ffi_handle: new FfiHandle(UNKNOWN) };
    Object.assign(room, { localParticipant });

    expect(await leaveRoom({ room, connecting: null, clock, log: quietLog })).toBe(true);

    expect(dispose).toHaveBeenCalledOnce();
  });
});
