import { beforeEach, describe, expect, test } from 'vitest';
import type { Bundle } from '../../../../workers/bundle/open-bundle.ts';
import { type Mouth, RESTING_MOUTH } from '../../../../workers/bundle/visemes.ts';
import {
  BuiltInPerformer,
  type MouthTrack,
} from '../../../../workers/avatar/performer/built-in-performer.ts';
import { memoryOf } from '../../../../workers/avatar/performer/face.ts';
import { IDLE, lifeAt } from '../../../../workers/avatar/performer/life.ts';
import { seedOf } from '../../../../workers/avatar/performer/chance.ts';
import { HEARING_RATE } from '#protocol/audio.ts';
import { drawnBundle, SIZE } from '../../../support/picture/drawn-face.ts';
import { vowel } from '../../../support/sound/vowels.ts';

const FRAME_MS = 40;
const FRAME_BYTES = SIZE * SIZE * 1.5;
const MOUTH = { x: 44, y: 70, width: 40, height: 26 };
/** Below the brows in any pose. */
const EYES = { x: 40, y: 49, width: 48, height: 11 };

let bundle: Bundle;
let frame: Uint8Array;
beforeEach(async () => {
  bundle = await drawnBundle();
  frame = new Uint8Array(FRAME_BYTES);
});

/** Returns the mouth that a test sets in `now`. */
function toldMouth(): MouthTrack & { now: Mouth; loudness: number } {
  return {
    now: RESTING_MOUTH,
    loudness: 0,
    hear() {},
    hush() {},
    mouthAt() {
      return this.now;
    },
    loudnessAt() {
      return this.loudness;
    },
  };
}

const darkness = (picture: Uint8Array, area: typeof MOUTH) => {
  let dark = 0;
  for (let row = area.y; row < area.y + area.height; row++) {
    for (let column = area.x; column < area.x + area.width; column++) {
      if (picture[row * SIZE + column]! < 60) dark++;
    }
  }
  return dark;
};

/**
 * By more than a part that has moved by less than the performer draws: what two sessions show of
 * one pose depends on what they showed before.
 */
const areDifferent = (a: Uint8Array, b: Uint8Array) =>
  a.some((value, at) => Math.abs(value - b[at]!) > UNSEEN);
const UNSEEN = 12;

describe('built-in performer', () => {
  test('opens its mouth as far as requested, and shuts it', () => {
    const mouth = toldMouth();
    const performer = new BuiltInPerformer(bundle, { seed: 'a', mouth });
    const at = (opening: number, lips: Mouth['lips'], atMs: number) => {
      mouth.now = { lips, strength: 1, opening };
      performer.draw(atMs, frame);
      return darkness(frame, MOUTH);
    };

    const [shut, half, wide, round, pressed] = [
      at(0, 'neutral', 0),
      at(0.5, 'neutral', 40),
      at(1, 'neutral', 80),
      at(0.3, 'rounded', 120),
      at(0, 'pressed', 160),
    ] as const;

    expect(shut).toBe(0);
    expect(half).toBeGreaterThan(20);
    expect(wide).toBeGreaterThan(half + 20);
    expect(round).toBeLessThan(half);
    expect(pressed).toBe(0);
    performer.close();
  });

  test('moves its mouth with a voice, and rests after it or when hushed', () => {
    const performer = new BuiltInPerformer(bundle, { seed: 'a' });
    const voice = vowel('a', 1000);
    const samples = (HEARING_RATE * FRAME_MS) / 1000;
    const dark: number[] = [];
    for (let at = 0; at < 3000; at += FRAME_MS) {
      const from = (at * HEARING_RATE) / 1000;
      if (at < 1000) performer.hear(voice.subarray(from, from + samples), at);
      if (at === 1000) performer.hush(at);
      performer.draw(at, frame);
      dark.push(darkness(frame, MOUTH));
    }

    expect(Math.max(...dark.slice(3, 25))).toBeGreaterThan(15);
    expect(Math.max(...dark.slice(40))).toBe(0);
    performer.close();
  });

  test('shows the mouth of the time that is drawn: of the frame from which it opens', () => {
    const opensMs = 400;
    const mouth = {
      ...toldMouth(),
      mouthAt: (atMs: number): Mouth =>
        atMs < opensMs ? RESTING_MOUTH : { lips: 'neutral', strength: 1, opening: 1 },
    };
    const performer = new BuiltInPerformer(bundle, { seed: 'a', mouth });
    const open: number[] = [];
    for (let at = 0; at < 2 * opensMs; at += FRAME_MS) {
      performer.draw(at, frame);
      if (darkness(frame, MOUTH) > 0) open.push(at);
    }

    expect(open[0]).toBe(opensMs);
    performer.close();
  });

  test('closes its eyes on a blink', () => {
    const performer = new BuiltInPerformer(bundle, { seed: 'a', mouth: toldMouth() });
    const open: number[] = [];
    const closed: number[] = [];
    for (let at = 0; at < 12_000; at += FRAME_MS) {
      performer.draw(at, frame);
      const { lids } = lifeAt(seedOf('a'), at, IDLE);
      if (lids === 0) open.push(darkness(frame, EYES));
      if (lids > 0.8) closed.push(darkness(frame, EYES));
    }

    expect(closed.length).toBeGreaterThan(2);
    expect(Math.max(...closed)).toBeLessThan(Math.min(...open));
    performer.close();
  });

  test('is never still for long while idle, and leaves the background unchanged', () => {
    const performer = new BuiltInPerformer(bundle, { seed: 'a', mouth: toldMouth() });
    const { background } = bundle.face;
    let lastFrame = new Uint8Array(FRAME_BYTES);
    let stillMs = 0;
    for (let at = 0; at < 4000; at += FRAME_MS) {
      const isChanged = performer.draw(at, frame);

      if (!isChanged) expect(Buffer.compare(frame, lastFrame)).toBe(0);
      stillMs = isChanged ? 0 : stillMs + FRAME_MS;
      expect(stillMs).toBeLessThan(600);
      for (let i = 0; i < SIZE; i++) {
        for (const pixel of [i * SIZE, i * SIZE + SIZE - 1, i]) {
          if (Math.floor(pixel / SIZE) < 90) expect(frame[pixel]).toBe(background[pixel]);
        }
      }
      lastFrame = Uint8Array.from(frame);
    }
    performer.close();
  });

  test('cross-fades to the expression of an emotion, and back', () => {
    const performer = new BuiltInPerformer(bundle, { seed: 'a', mouth: toldMouth() });
    const twin = new BuiltInPerformer(bundle, { seed: 'a', mouth: toldMouth() });
    const expected = new Uint8Array(FRAME_BYTES);
    let at = 0;
    /** Indices of the next frames in which they differ. */
    const differing = (count: number) =>
      Array.from({ length: count }, () => {
        performer.draw(at, frame);
        twin.draw(at, expected);
        at += FRAME_MS;
        return areDifferent(frame, expected);
      });

    expect(differing(3)).toEqual([false, false, false]);
    performer.feel('no such feeling');
    expect(differing(3)).toEqual([false, false, false]);
    performer.feel('Happy');
    expect(differing(12).slice(2)).toEqual(Array(10).fill(true));
    performer.feel('concerned');
    expect(differing(12), 'the bundle has no such expression').toEqual(Array(12).fill(true));
    performer.feel('calm');
    expect(differing(12).slice(-3)).toEqual([false, false, false]);
    performer.close();
    twin.close();
  });

  test('attends while it listens, and returns to idling afterwards', () => {
    const performer = new BuiltInPerformer(bundle, { seed: 'a', mouth: toldMouth() });
    const twin = new BuiltInPerformer(bundle, { seed: 'a', mouth: toldMouth() });
    const expected = new Uint8Array(FRAME_BYTES);
    const differs = (fromMs: number, untilMs: number) => {
      let isOther = false;
      for (let at = fromMs; at < untilMs; at += FRAME_MS) {
        performer.draw(at, frame);
        twin.draw(at, expected);
        isOther ||= areDifferent(frame, expected);
      }
      return isOther;
    };

    performer.attend(true);
    expect(differs(0, 4000)).toBe(true);
    performer.attend(false);
    differs(4000, 30_000);
    expect(differs(30_000, 32_000)).toBe(false);
    performer.close();
    twin.close();
  });

  test('moves only its mouth when told so, and later goes on without a jump', () => {
    const mouth = toldMouth();
    const performer = new BuiltInPerformer(bundle, { seed: 'a', mouth });
    const opened = { lips: 'neutral', strength: 1, opening: 1 } as const;
    const draw = (atMs: number) => performer.draw(atMs, frame);
    for (let at = 0; at <= 400; at += FRAME_MS) draw(at);

    performer.move('mouth');
    draw(440);
    const restingFrame = Uint8Array.from(frame);
    const changes: boolean[] = [];
    for (let at = 480; at < 6000; at += FRAME_MS) changes.push(draw(at));
    mouth.now = opened;
    draw(6000);
    const openFrame = Uint8Array.from(frame);
    mouth.now = RESTING_MOUTH;
    draw(6040);

    expect(changes).not.toContain(true);
    expect(darkness(openFrame, MOUTH)).toBeGreaterThan(40);
    // Where the mouth's surroundings reach the eyes, they are drawn again in their exact place.
    expect(Math.abs(darkness(openFrame, EYES) - darkness(restingFrame, EYES))).toBeLessThan(3);
    performer.move('all');
    draw(6080);
    const twin = new BuiltInPerformer(bundle, { seed: 'a', mouth: toldMouth() });
    const expected = new Uint8Array(FRAME_BYTES);
    for (let at = 0; at <= 440; at += FRAME_MS) twin.draw(at, expected);
    // Where another session is that never stopped.
    expect(areDifferent(frame, expected)).toBe(false);
    performer.close();
    twin.close();
  });

  test('stands still with its mouth shut when nothing moves, and hears no speech', () => {
    const heardAtMs: number[] = [];
    const mouth = { ...toldMouth(), hear: (_: Int16Array, atMs: number) => heardAtMs.push(atMs) };
    mouth.now = { lips: 'neutral', strength: 1, opening: 1 };
    const performer = new BuiltInPerformer(bundle, { seed: 'a', mouth });
    performer.draw(0, frame);
    performer.hear(new Int16Array(160), 40);
    expect(darkness(frame, MOUTH)).toBeGreaterThan(40);

    performer.move('nothing');
    performer.hear(new Int16Array(160), 80);
    const changes = [480, 960, 1440, 1920].map((atMs) => performer.draw(atMs, frame));

    expect(darkness(frame, MOUTH)).toBe(0);
    expect(changes).toEqual([true, false, false, false]);
    expect(heardAtMs).toEqual([40]);
    performer.close();
  });

  test('returns false when nothing changed, and leaves the frame as it is', () => {
    const performer = new BuiltInPerformer(bundle, { seed: 'a', mouth: toldMouth() });
    performer.draw(40, frame);
    const lastFrame = Uint8Array.from(frame);

    const isChanged = performer.draw(40, frame);

    expect(isChanged).toBe(false);
    expect(frame).toEqual(lastFrame);
    performer.close();
  });

  test('shows two sessions of one avatar differently and independently', () => {
    const firstPerformer = new BuiltInPerformer(bundle, { seed: 'one', mouth: toldMouth() });
    const secondPerformer = new BuiltInPerformer(bundle, { seed: 'other', mouth: toldMouth() });
    const frames = [0, 1, 2].map(() => new Uint8Array(FRAME_BYTES));
    for (let at = 0; at < 2000; at += FRAME_MS) {
      firstPerformer.draw(at, frames[0]!);
      secondPerformer.draw(at, frames[1]!);
    }
    firstPerformer.close();
    secondPerformer.close();
    const alone = new BuiltInPerformer(bundle, { seed: 'one', mouth: toldMouth() });
    for (let at = 0; at < 2000; at += FRAME_MS) alone.draw(at, frames[2]!);
    alone.close();

    expect(Buffer.compare(frames[0]!, frames[1]!)).not.toBe(0);
    expect(Buffer.compare(frames[0]!, frames[2]!)).toBe(0);
  });

  test('needs no more memory when sessions come and go', () => {
    const memory = memoryOf(bundle.face);
    new BuiltInPerformer(bundle, { seed: 'a' }).close();
    const bytesBefore = memory.byteLength;

    for (let i = 0; i < 50; i++) new BuiltInPerformer(bundle, { seed: `${i}` }).close();

    expect(memory.byteLength).toBe(bytesBefore);
  });

  test('closes twice without harm, and draws nothing afterwards', () => {
    const performer = new BuiltInPerformer(bundle, { seed: 'a' });
    performer.close();
    performer.close();

    expect(() => performer.draw(0, frame)).toThrow('closed');
  });
});
