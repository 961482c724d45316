import { NewAudioStreamRequest } from '@livekit/rtc-ffi-bindings';
import { expect, test } from 'vitest';
import { startMediaEngine } from '../../../workers/runtime/media-engine.ts';

type Sdk = { request(request: object): unknown };

test('a second of sound waits for a process that has no CPU', () => {
  startMediaEngine();
  startMediaEngine();
  const { _ffiClientInstance: sdk } = globalThis as unknown as { _ffiClientInstance: Sdk };
  const value = new NewAudioStreamRequest({ trackHandle: 0n, sampleRate: 48_000, numChannels: 1 });

  // The engine knows no such track, but has been asked for its sound.
  expect(() => sdk.request({ message: { case: 'newAudioStream', value } })).toThrow();
  expect(value.queueSizeFrames).toBe(100);
});
