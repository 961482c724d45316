import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { chooseDevice, chosenDevice } from '../../../../src/web/call/devices/chosen-devices.ts';
import { CameraChoice } from '../../../../src/web/room/lobby/camera-choice.ts';
import { words } from '../../../../src/web/room/words/en.ts';
import { FakeElement, stubDocument } from '../../../support/fake-document.ts';

const getUserMedia = vi.fn<(wanted: MediaStreamConstraints) => Promise<unknown>>();
const DEVICES = ['first', 'second'].map((deviceId) => ({ kind: 'videoinput', deviceId }));
const enumerateDevices = async () => DEVICES;
let choice: CameraChoice;
let track: { isOpen: boolean };

beforeEach(() => {
  stubDocument();
  track = { isOpen: false };
  getUserMedia.mockReset().mockImplementation(async () => {
    track.isOpen = true;
    const stop = () => (track.isOpen = false);
    return { getTracks: () => [{ getSettings: () => ({ deviceId: 'first' }), stop }] };
  });
  vi.stubGlobal('navigator', { mediaDevices: { getUserMedia, enumerateDevices } });
  choice = new CameraChoice(words, 'Mira');
});
afterEach(() => {
  choice.close();
  // For the tests of other files, which share the memory of the page.
  chooseDevice('videoinput', '');
  vi.unstubAllGlobals();
});

const parts = () => (choice.node as unknown as FakeElement).children as FakeElement[];
const toggle = () => parts()[1]!.children[0] as FakeElement;
const consent = () => parts()[2]!.children;
/** The preview and the menu, or a problem. */
const shown = () => parts()[3]!.children as FakeElement[];

async function turn(isOn: boolean): Promise<void> {
  toggle().checked = isOn;
  toggle().dispatchEvent(new Event('change'));
  await new Promise(setImmediate);
}

test('the camera is off until a person shows it, who reads before what it is for', () => {
  expect(choice.joinsOn).toBe(false);
  expect(getUserMedia).not.toHaveBeenCalled();
  expect(consent()).toEqual([expect.stringContaining('Mira may look at its picture')]);
});

test('a camera that is shown has a preview in view, until it is turned off', async () => {
  await turn(true);
  expect([choice.joinsOn, track.isOpen, shown().length]).toEqual([true, true, 2]);
  expect(shown()[0]!.isInView).toBe(true);

  await turn(false);
  expect([choice.joinsOn, track.isOpen, shown().length]).toEqual([false, false, 0]);
});

test('the camera of earlier calls is opened, and another choice is kept', async () => {
  chooseDevice('videoinput', 'first');
  await turn(true);
  expect(getUserMedia).toHaveBeenLastCalledWith({ video: { deviceId: 'first' } });

  const select = shown()[1]!.children[1] as FakeElement;
  select.value = 'second';
  select.dispatchEvent(new Event('change'));
  await new Promise(setImmediate);

  expect(getUserMedia).toHaveBeenLastCalledWith({ video: { deviceId: { exact: 'second' } } });
  expect(chosenDevice('videoinput')).toBe('second');
});

test('a camera that is refused stays off, with the reason in words', async () => {
  getUserMedia.mockRejectedValue(Object.assign(new Error('no'), { name: 'NotAllowedError' }));

  await turn(true);

  expect(choice.joinsOn).toBe(false);
  expect(shown()[0]!.children).toEqual([words.deviceProblems.camera.denied]);
});
