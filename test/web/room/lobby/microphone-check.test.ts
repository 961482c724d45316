import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chooseDevice } from '../../../../src/web/call/devices/chosen-devices.ts';
import { MicrophoneCheck } from '../../../../src/web/room/lobby/microphone-check.ts';

class FakeContext {
  static openCount = 0;

  constructor() {
    FakeContext.openCount += 1;
  }

  createMediaStreamSource() {
    return { context: this, connect() {}, disconnect() {} };
  }

  createAnalyser() {
    return {};
  }

  async resume() {}

  async close() {
    FakeContext.openCount -= 1;
  }
}

/** The microphone of one request for permission. */
function microphone() {
  const track = { isOpen: true, getSettings: () => ({}), stop: () => (track.isOpen = false) };
  const stream = { getTracks: () => [track], getAudioTracks: () => [track] };
  const permission = Promise.withResolvers<typeof stream>();
  return { track, permission, permit: () => permission.resolve(stream) };
}

const getUserMedia = vi.fn<(wanted: MediaStreamConstraints) => Promise<unknown>>();
const enumerateDevices = vi.fn<() => Promise<MediaDeviceInfo[]>>();
let check: MicrophoneCheck;

beforeEach(() => {
  FakeContext.openCount = 0;
  enumerateDevices.mockReset().mockResolvedValue([]);
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia, enumerateDevices } });
  vi.stubGlobal('AudioContext', FakeContext);
  vi.stubGlobal('AudioNode', EventTarget);
  vi.stubGlobal('MediaStream', EventTarget);
  check = new MicrophoneCheck(() => {});
});
afterEach(() => vi.unstubAllGlobals());

function open() {
  const requested = microphone();
  getUserMedia.mockReturnValueOnce(requested.permission.promise);
  return { ...requested, opening: check.open(null) };
}

describe('microphone check', () => {
  test('stays closed if it is closed before the microphone is permitted', async () => {
    const { track, permit, opening } = open();

    check.close();
    permit();
    await opening;

    expect(check.state.type).toBe('closed');
    expect(track.isOpen).toBe(false);
    expect(FakeContext.openCount).toBe(0);
  });

  test('keeps only the microphone of the last attempt open', async () => {
    const earlierAttempt = open();
    const laterAttempt = open();

    earlierAttempt.permit();
    laterAttempt.permit();
    await Promise.all([earlierAttempt.opening, laterAttempt.opening]);

    expect([earlierAttempt.track.isOpen, laterAttempt.track.isOpen]).toEqual([false, true]);
    expect(FakeContext.openCount).toBe(1);
    check.close();
    expect([laterAttempt.track.isOpen, FakeContext.openCount]).toEqual([false, 0]);
  });

  test('opens the microphone of earlier calls, or the usual one if that is gone', async () => {
    chooseDevice('audioinput', 'headset');
    const { permit, opening } = open();

    permit();
    await opening;

    expect(getUserMedia).toHaveBeenLastCalledWith({ audio: { deviceId: 'headset' } });
    check.close();
  });

  test('releases a permitted microphone when an error follows', async () => {
    enumerateDevices.mockRejectedValue(new Error('no list'));
    const { track, permit, opening } = open();

    permit();
    await opening;

    expect(check.state).toEqual({ type: 'refused', problem: 'failed' });
    expect(track.isOpen).toBe(false);
  });

  test('ignores the refusal of an attempt that was given up', async () => {
    const { permission, opening } = open();

    check.close();
    permission.reject(Object.assign(new Error('no'), { name: 'NotAllowedError' }));
    await opening;

    expect(check.state.type).toBe('closed');
  });
});
