import { describe, expect, test } from 'vitest';
import type { Expression } from '../../../../workers/bundle/expressions.ts';
import type { LipShape, Mouth } from '../../../../workers/bundle/visemes.ts';
import { memoryOf } from '../../../../workers/avatar/performer/face.ts';
import type { Life } from '../../../../workers/avatar/performer/life.ts';
import {
  type Look,
  Looks,
  mixed,
  mouthBetween,
} from '../../../../workers/avatar/performer/looks.ts';
import { STRAIGHT } from '../../../../workers/avatar/performer/pose.ts';
import { drawnBundle } from '../../../support/picture/drawn-face.ts';

/** Looks of the drawn bundle, with sprites by name. */
async function named(expression: Expression = 'neutral') {
  const { face } = await drawnBundle();
  const memory = memoryOf(face);
  const looks = new Looks(face, memory, expression);
  const nameOf = (fitted: unknown) =>
    face.mouths[memory.mouths.findIndex((sprite) => sprite.fitted === fitted)]?.name ??
    face.eyes[memory.eyes.findIndex((sprite) => sprite.fitted === fitted)]?.name;
  const list = (chosen: Look[]) => chosen.map(({ fitted, weight }) => [nameOf(fitted), weight]);
  return {
    mouth: (lips: LipShape, opening: number, strength = 1) =>
      list(looks.ofMouth({ lips, strength, opening })),
    eyes: (life: Partial<Life>) =>
      list(looks.ofEyes({ pose: STRAIGHT, lids: 0, gaze: 0, brows: 0, ...life })),
  };
}

describe('looks', () => {
  test('blend the two nearest openings of a lip shape', async () => {
    const { mouth } = await named();

    expect(mouth('neutral', 0)).toEqual([['rest', 256]]);
    expect(mouth('neutral', 0.25)).toEqual([
      ['rest', 128],
      ['open_1', 128],
    ]);
    expect(mouth('neutral', 1)).toEqual([['open_2', 256]]);
    expect(mouth('rounded', 0.9)).toEqual([['round_1', 256]]);
  });

  test('use the nearest strength, which for a weak one is neutral lips', async () => {
    const { mouth } = await named();

    expect(mouth('spread', 0.2, 0.9)).toEqual([['spread_1', 256]]);
    expect(mouth('spread', 0.2, 0.6)).toEqual([['half_spread', 256]]);
    expect(mouth('spread', 1, 0.1)).toEqual([['open_2', 256]]);
  });

  test('use the most similar lip shape for one that the bundle lacks', async () => {
    const { mouth } = await named();
    const warm = await named('warm');

    expect(mouth('flared', 0.3)).toEqual([['round_1', 256]]);
    expect(warm.mouth('pressed', 0)).toEqual([['warm_rest', 256]]);
  });

  test('press the lips fully at any opening', async () => {
    const { mouth } = await named();

    expect(mouth('pressed', 0.4)).toEqual([['pressed', 256]]);
  });

  test('hide the gaze under closed lids and add the brows, each as one picture', async () => {
    const { eyes } = await named();

    expect(eyes({ gaze: -1 })).toEqual([
      ['look_left', 256],
      ['rest', 256],
    ]);
    expect(eyes({ gaze: -1, lids: 0.9 })[0]).toEqual(['closed', 256]);
    expect(eyes({ lids: 0.5, brows: 0.8 })).toEqual([
      ['half', 256],
      ['brows_up', 256],
    ]);
  });

  test('use one picture for the eyes in an expression, whose brows would count twice', async () => {
    const { eyes } = await named('warm');

    expect(eyes({})).toEqual([['warm_rest', 256]]);
    expect(eyes({ brows: 1 })).toEqual([['warm_brows_up', 256]]);
    expect(eyes({ brows: 1, lids: 0.5 })).toEqual([['warm_rest', 256]]);
  });

  test('cross-fade in proportion, and always add up to the full weight', async () => {
    const fitted = {} as Look['fitted'];
    const oldLooks = [{ fitted, weight: 256 }];
    const newLooks = [
      { fitted, weight: 64 },
      { fitted, weight: 192 },
    ];

    expect(mixed(oldLooks, newLooks, 0)).toEqual(oldLooks);
    expect(mixed(oldLooks, newLooks, 1)).toEqual(newLooks);
    expect(mixed(oldLooks, newLooks, 0.5).map(({ weight }) => weight)).toEqual([128, 32, 96]);
  });
});

const mouth = (lips: LipShape, strength = 1, opening = 0.5): Mouth => ({
  lips,
  strength,
  opening,
});

describe('mouth transition', () => {
  test('moves gradually between rounded and spread, with the new opening at once', () => {
    const mouths = [mouth('rounded', 1, 0.1)];
    for (let i = 0; i < 3; i++) mouths.push(mouthBetween(mouths.at(-1)!, mouth('spread'), 40));

    expect(mouths.slice(1).map(({ lips }) => lips)).toEqual(['rounded', 'spread', 'spread']);
    expect(mouths[1]!.strength).toBeLessThan(0.5);
    expect(mouths[1]!.opening).toBe(0.5);
    expect(mouths[3]).toEqual(mouth('spread'));
  });

  test('is immediate for touching lips, whatever came before', () => {
    expect(mouthBetween(mouth('spread'), mouth('pressed'), 40)).toEqual(mouth('pressed'));
    expect(mouthBetween(mouth('pressed'), mouth('rounded'), 40)).toEqual(mouth('rounded'));
    expect(mouthBetween(mouth('rounded'), mouth('teeth_on_lip'), 40)).toEqual(
      mouth('teeth_on_lip'),
    );
  });
});
