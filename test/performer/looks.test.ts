import { describe, expect, test } from 'vitest';
import type { Mouth } from '../../workers/avatar/lipsync/visemes.ts';
import { memoryOf } from '../../workers/avatar/performer/face.ts';
import type { Life } from '../../workers/avatar/performer/life.ts';
import { Looks, mouthBetween } from '../../workers/avatar/performer/looks.ts';
import { STRAIGHT } from '../../workers/avatar/performer/pose.ts';
import { drawnBundle } from '../support/drawn-face.ts';

/** What a bundle's looks come to, by name. */
async function named() {
  const { face } = await drawnBundle();
  const memory = memoryOf(face);
  const looks = new Looks(face, memory);
  const nameOf = (fitted: unknown) =>
    face.mouths[memory.mouths.indexOf(fitted as never)]?.name ??
    face.eyes[memory.eyes.indexOf(fitted as never)]?.name;
  const list = (found: { fitted: unknown; weight: number }[]) =>
    found.map(({ fitted, weight }) => [nameOf(fitted), weight]);
  return {
    mouth: (mouth: Mouth) => list(looks.ofMouth(mouth)),
    eyes: (life: Partial<Life>) =>
      list(looks.ofEyes({ pose: STRAIGHT, lids: 0, gaze: 0, brows: 0, ...life })),
  };
}

describe('looks', () => {
  test('of a mouth are the two nearest openings of its lips', async () => {
    const { mouth } = await named();

    expect(mouth({ lips: 'neutral', opening: 0 })).toEqual([['rest', 256]]);
    expect(mouth({ lips: 'neutral', opening: 0.25 })).toEqual([
      ['rest', 128],
      ['open_1', 128],
    ]);
    expect(mouth({ lips: 'neutral', opening: 1 })).toEqual([['open_2', 256]]);
    expect(mouth({ lips: 'rounded', opening: 0.9 })).toEqual([['round_1', 256]]);
  });

  test('press the lips whole whenever they are told to', async () => {
    const { mouth } = await named();

    expect(mouth({ lips: 'pressed', opening: 0.4 })).toEqual([['pressed', 256]]);
    expect(mouthBetween({ lips: 'spread', opening: 1 }, { lips: 'pressed', opening: 0 })).toEqual({
      lips: 'pressed',
      opening: 0,
    });
  });

  test('pass through neutral between spread and rounded', () => {
    const between = mouthBetween(
      { lips: 'spread', opening: 0.2 },
      { lips: 'rounded', opening: 0.6 },
    );

    expect(between).toEqual({ lips: 'neutral', opening: 0.4 });
  });

  test('of eyes cover the gaze with the lids and add the brows', async () => {
    const { eyes } = await named();

    expect(eyes({ gaze: -1 })).toEqual([
      ['look_left', 256],
      ['rest', 256],
    ]);
    expect(eyes({ gaze: -1, lids: 0.9 })[0]).toEqual(['closed', 256]);
    expect(eyes({ lids: 0.5, brows: 0.5 })).toEqual([
      ['half', 256],
      ['rest', 128],
      ['brows_up', 128],
    ]);
  });
});
