import type { Room } from 'livekit-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { initialState } from '../../../../src/web/call/state/call-state.ts';
import { MicrophoneLevel } from '../../../../src/web/room/call/microphone-level.ts';
import { FakeElement, stubDocument } from '../../../support/fake-document.ts';

type FakeTrack = { loudness: number };

class FakeStream {
  readonly tracks: FakeTrack[];

  constructor(tracks: FakeTrack[]) {
    this.tracks = tracks;
  }
}

class FakeContext {
  createMediaStreamSource({ tracks: [track] }: FakeStream) {
    const createAnalyser = () => ({
      getFloatTimeDomainData: (samples: Float32Array) => samples.fill(track!.loudness),
    });
    return { context: { createAnalyser }, connect() {}, disconnect() {} };
  }

  async resume() {}

  async close() {}
}

let draw = () => {};

beforeEach(() => {
  stubDocument();
  vi.stubGlobal('AudioContext', FakeContext);
  vi.stubGlobal('AudioNode', EventTarget);
  vi.stubGlobal('MediaStream', FakeStream);
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => (draw = run));
  vi.stubGlobal('cancelAnimationFrame', () => (draw = () => {}));
});
afterEach(() => vi.unstubAllGlobals());

const roomWith = (mediaStreamTrack: FakeTrack) =>
  ({
    localParticipant: { audioTrackPublications: new Map([['', { track: { mediaStreamTrack } }]]) },
  }) as unknown as Room;

const stateWith = (isOn: boolean) => ({
  devices: { ...initialState.devices, microphone: { isOn, problem: null } },
});

test('the level of the microphone follows the one that is in use', () => {
  const button = new FakeElement();
  const level = new MicrophoneLevel(button as unknown as HTMLElement);
  const meter = () => (button.children as FakeElement[])[0]?.attributes.get('--level');

  level.show(stateWith(true), roomWith({ loudness: 0.05 }));
  expect(meter()).toBe('0.30');

  level.show(stateWith(true), roomWith({ loudness: 0.1 }));
  draw();
  expect(meter()).toBe('0.60');

  level.show(stateWith(false), roomWith({ loudness: 0.1 }));
  expect(meter()).toBe('0');
});
