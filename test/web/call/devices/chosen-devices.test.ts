import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chooseDevice, useChosenDevices } from '../../../../src/web/call/devices/chosen-devices.ts';

const switchActiveDevice = vi.fn<(kind: string, id: string, isExact: boolean) => Promise<true>>();
const stored = new Map<string, string>();

beforeEach(() => {
  stored.clear();
  switchActiveDevice.mockReset().mockResolvedValue(true);
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
  });
  listed(['desk']);
  chooseDevice('audioinput', 'headset');
  chooseDevice('audiooutput', 'desk');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const listed = (speakers: string[]) => {
  const enumerateDevices = async () => speakers.map((deviceId) => ({ deviceId }));
  vi.stubGlobal('navigator', { mediaDevices: { enumerateDevices } });
};
const used = () => switchActiveDevice.mock.calls;

describe('the devices of a call', () => {
  test('are those that were chosen before, or the usual ones in their place', async () => {
    await useChosenDevices({ switchActiveDevice });

    expect(used()).toEqual([
      ['audioinput', 'headset', false],
      ['audiooutput', 'desk', false],
    ]);
  });

  test('leave out a speaker that is gone', async () => {
    listed([]);

    await useChosenDevices({ switchActiveDevice });

    expect(used()).toEqual([['audioinput', 'headset', false]]);
  });

  test('are the usual ones where the browser refuses to change them', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    switchActiveDevice.mockRejectedValue(new Error('not supported'));

    await useChosenDevices({ switchActiveDevice });

    expect(warn).toHaveBeenCalledOnce();
  });
});
