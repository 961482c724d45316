import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SoundLevel } from '../../../../src/web/call/sound/sound-level.ts';

/** As in Firefox: a track is taken only at the context's sample rate. */
class FakeContext {
  readonly sampleRate: number;
  readonly loudness: number;
  state = 'running';

  constructor(sampleRate = 44_100, loudness = 0.05) {
    this.sampleRate = sampleRate;
    this.loudness = loudness;
  }

  createAnalyser() {
    return { getFloatTimeDomainData: (samples: Float32Array) => samples.fill(this.loudness) };
  }

  createMediaStreamSource({ tracks }: FakeStream) {
    if (tracks[0]?.sampleRate !== this.sampleRate) throw new Error('different sample-rate');
    return new FakeNode(this);
  }

  async close() {
    this.state = 'closed';
  }
}

class FakeNode {
  readonly context: FakeContext;
  readonly to = new Set<unknown>();

  constructor(context: FakeContext) {
    this.context = context;
  }

  connect(node: unknown) {
    this.to.add(node);
  }

  disconnect(node: unknown) {
    this.to.delete(node);
  }
}

type FakeTrack = { sampleRate: number };

class FakeStream {
  readonly tracks: FakeTrack[];

  constructor(tracks: FakeTrack[]) {
    this.tracks = tracks;
  }
}

let level: SoundLevel;

beforeEach(() => {
  vi.stubGlobal('AudioContext', FakeContext);
  vi.stubGlobal('AudioNode', FakeNode);
  vi.stubGlobal('MediaStream', FakeStream);
  level = new SoundLevel();
});
afterEach(() => vi.unstubAllGlobals());

const listen = (sound: FakeTrack | FakeNode) => level.listen(sound as unknown as AudioNode);

test('a level is 0 without a sound', () => {
  expect(level.read()).toBe(0);
});

test('a level follows a track', () => {
  listen({ sampleRate: 44_100 });

  expect(level.read()).toBeCloseTo(0.3);
});

test('a level follows a node of a context with another sample rate, and leaves its other connections', async () => {
  const node = new FakeNode(new FakeContext(48_000, 0.1));
  node.connect('speakers');
  listen(node);

  expect(level.read()).toBeCloseTo(0.6);
  await level.close();
  expect([...node.to]).toEqual(['speakers']);
});
