import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { captureSound } from '../../../../src/web/try/botroom/capture-sound.ts';

let hardwareRate: number;
let contexts: FakeContext[];
let port: EventTarget & { start: () => void; close: () => void };

class FakeContext {
  readonly sampleRate: number;
  readonly audioWorklet = { addModule: async () => {} };
  isClosed = false;

  constructor({ sampleRate = hardwareRate } = {}) {
    this.sampleRate = sampleRate;
    contexts.push(this);
  }

  createMediaStreamSource() {
    return { connect: () => {} };
  }

  async close() {
    this.isClosed = true;
  }
}

class FakeProcessor {
  readonly port = port;
}

beforeEach(() => {
  contexts = [];
  port = Object.assign(new EventTarget(), { start: () => {}, close: () => {} });
  vi.stubGlobal('AudioContext', FakeContext);
  vi.stubGlobal('AudioWorkletNode', FakeProcessor);
  vi.stubGlobal('MediaStream', Object);
});
afterEach(() => vi.unstubAllGlobals());

describe('captured sound', () => {
  test.each([
    [44_100, 44_100],
    [48_000, 48_000],
    [96_000, 48_000],
  ])('of a sound card at %i Hz has %i Hz', async (card, expected) => {
    hardwareRate = card;
    const pieces: unknown[] = [];

    const { stop } = await captureSound({} as MediaStreamTrack, (pcm, rate) =>
      pieces.push([...pcm, rate]),
    );
    port.dispatchEvent(Object.assign(new Event('message'), { data: Int16Array.of(258) }));
    stop();

    expect(pieces).toEqual([[2, 1, expected]]);
    expect(contexts.filter(({ isClosed }) => !isClosed)).toEqual([]);
  });
});
