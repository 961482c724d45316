import type { Room } from 'livekit-client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { initialState } from '../../../../src/web/call/state/call-state.ts';
import { chosenDevice } from '../../../../src/web/call/devices/chosen-devices.ts';
import { DeviceMenus } from '../../../../src/web/room/call/device-menus.ts';
import { words } from '../../../../src/web/room/words/en.ts';
import { FakeElement, stubDocument } from '../../../support/fake-document.ts';

const switchActiveDevice = vi.fn(async () => true);
const room = { getActiveDevice: () => 'first', switchActiveDevice } as unknown as Room;

beforeEach(stubDocument);
afterEach(() => vi.unstubAllGlobals());

async function openMenus(onChosen = () => {}): Promise<FakeElement> {
  const menus = new DeviceMenus(words, onChosen);
  const node = menus.node as unknown as FakeElement;
  node.append('earlier menu');
  menus.isOpen = true;
  menus.show(initialState, room);
  await new Promise(setImmediate);
  return node;
}

describe('device menus', () => {
  test('are empty on a page that is not secure', async () => {
    vi.stubGlobal('navigator', {});

    expect((await openMenus()).children).toEqual([]);
  });

  test('keep a chosen device, and report it once it is in use', async () => {
    const devices = ['first', 'second'].map((deviceId) => ({ kind: 'audioinput', deviceId }));
    const enumerateDevices = async () => devices;
    vi.stubGlobal('navigator', { mediaDevices: { enumerateDevices, addEventListener() {} } });
    const inUse = Promise.withResolvers<boolean>();
    switchActiveDevice.mockReturnValueOnce(inUse.promise);
    const onChosen = vi.fn<() => void>();

    const [menu] = (await openMenus(onChosen)).children as FakeElement[];
    const [, select] = menu!.children as FakeElement[];
    select!.value = 'second';
    select!.dispatchEvent(new Event('change'));

    expect(switchActiveDevice).toHaveBeenCalledWith('audioinput', 'second');
    expect(chosenDevice('audioinput')).toBe('second');
    expect(onChosen).not.toHaveBeenCalled();
    inUse.resolve(true);
    await new Promise(setImmediate);
    expect(onChosen).toHaveBeenCalledOnce();
  });
});
