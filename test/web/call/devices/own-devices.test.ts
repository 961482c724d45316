import { afterEach, expect, test, vi } from 'vitest';
import { OwnDevices } from '../../../../src/web/call/devices/own-devices.ts';

afterEach(() => vi.unstubAllGlobals());

/** A microphone that opens when the test says so. */
function slowMicrophone() {
  const opening = Promise.withResolvers<undefined>();
  const changes: boolean[] = [];
  const localParticipant = {
    setMicrophoneEnabled: async (isOn: boolean) => {
      changes.push(isOn);
      return isOn ? opening.promise : undefined;
    },
    setCameraEnabled: async () => undefined,
  };
  const reported: boolean[] = [];
  const devices = new OwnDevices({ localParticipant }, (_, { isOn }) => void reported.push(isOn));
  const turn = (isOn: boolean) => devices.turn('microphone', isOn);
  return { opening, changes, reported, turn };
}

test('a microphone that is turned off while it opens is off in the end', async () => {
  const { opening, changes, reported, turn } = slowMicrophone();

  const turnedOn = turn(true);
  const turnedOff = turn(false);
  opening.resolve(undefined);
  await Promise.all([turnedOn, turnedOff]);

  expect(changes.at(-1)).toBe(false);
  expect(reported.at(-1)).toBe(false);
});

test('a microphone skips changes that are no longer wanted', async () => {
  const { opening, changes, turn } = slowMicrophone();
  const opened = turn(true);
  await Promise.resolve();

  const last = [turn(false), turn(true), turn(false)];
  opening.resolve(undefined);
  await Promise.all([opened, ...last]);

  expect(changes).toEqual([true, false, false]);
});

test('a camera is published as its owner wants', async () => {
  const published: unknown[] = [];
  const localParticipant = {
    setMicrophoneEnabled: async () => undefined,
    setCameraEnabled: async (...given: unknown[]) => void published.push(given),
  };
  const options = { simulcast: false };
  const devices = new OwnDevices({ localParticipant }, () => {}, options);

  await devices.turn('camera', true);

  expect(published).toEqual([[true, undefined, options]]);
});

test('a microphone that does not open can be turned on again', async () => {
  vi.stubGlobal('navigator', { mediaDevices: {} });
  const { opening, changes, reported, turn } = slowMicrophone();

  const turnedOn = turn(true);
  opening.reject(Object.assign(new Error('no'), { name: 'NotAllowedError' }));
  await turnedOn;
  await turn(false);

  expect([changes, reported]).toEqual([
    [true, false],
    [false, false],
  ]);
});
