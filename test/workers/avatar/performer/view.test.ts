import { describe, expect, test } from 'vitest';
import {
  type View,
  viewAround,
  viewBetween,
  viewOf,
  wholeView,
} from '../../../../workers/avatar/performer/view.ts';

/** A stage on which the person reaches down to the waist. */
const STAGE = { width: 1360, height: 2000, head: { x: 680, y: 480, height: 700 } };
/** A photo that ends below the shoulders. */
const PHOTO = { width: 512, height: 512, head: { x: 256, y: 238, height: 353 } };
const LANDSCAPE = { width: 1280, height: 720 };
const PORTRAIT = { width: 720, height: 1280 };

/** Where the view shows the head: its centre and height, as shares of the frame's height. */
function headIn(view: View, { head }: typeof STAGE) {
  return {
    x: ((head.x - view.x) * view.scale) / view.width,
    y: ((head.y - view.y) * view.scale) / view.height,
    height: (head.height * view.scale) / view.height,
  };
}
const bottomOf = (view: View) => view.y + view.height / view.scale;

describe('the view of a framing', () => {
  test('of a photo in its own shape is the photo as it is', () => {
    const view = viewOf({ ...PHOTO, head: { x: 256, y: 238.08, height: 353.28 } }, PHOTO);

    expect(view).toEqual({ ...wholeView(PHOTO), y: expect.closeTo(0, 9) });
  });

  test('is closer or wider by its name, with the head in the middle', () => {
    const heights = (['close', 'bust', 'wide'] as const).map((framing) => {
      const place = headIn(viewOf(STAGE, LANDSCAPE, framing), STAGE);
      expect(place.x).toBeCloseTo(0.5);
      return place.height;
    });

    expect(heights[0]).toBeCloseTo(0.69);
    expect(heights[1]).toBeCloseTo(0.46);
    expect(heights[2]).toBeLessThan(0.4);
  });

  test('without a name is close in a square and shows the shoulders in other shapes', () => {
    expect(headIn(viewOf(STAGE, { width: 512, height: 512 }), STAGE).height).toBeCloseTo(0.69);
    expect(viewOf(STAGE, LANDSCAPE)).toEqual(viewOf(STAGE, LANDSCAPE, 'bust'));
    expect(viewOf(STAGE, PORTRAIT)).toEqual(viewOf(STAGE, PORTRAIT, 'bust'));
  });

  test('leaves room for the whole head between the sides of a tall frame', () => {
    const { scale } = viewOf(STAGE, PORTRAIT, 'close');

    expect(STAGE.head.height * scale).toBeLessThan(PORTRAIT.width);
  });

  test.each(['close', 'bust', 'wide', { x: 0.5, y: 0.2, head: 0.2 }] as const)(
    'never ends below the picture: %j',
    (framing) => {
      for (const places of [STAGE, PHOTO])
        for (const size of [LANDSCAPE, PORTRAIT, { width: 512, height: 512 }])
          expect(bottomOf(viewOf(places, size, framing))).toBeLessThanOrEqual(places.height + 1e-6);
    },
  );

  test('keeps the whole head in the frame where the picture ends soon below it', () => {
    const view = viewOf(PHOTO, LANDSCAPE, 'wide');

    const { y, height } = headIn(view, PHOTO);
    expect(y - height / 2).toBeGreaterThan(0);
  });

  test('puts the head where the caller wants it', () => {
    const view = viewOf(STAGE, LANDSCAPE, { x: 0.3, y: 0.5, head: 0.5 });

    expect(headIn(view, STAGE)).toEqual({
      x: expect.closeTo(0.3),
      y: expect.closeTo(0.5),
      height: expect.closeTo(0.5),
    });
  });
});

describe('a move between two views', () => {
  const [from, to] = [viewOf(STAGE, LANDSCAPE, 'bust'), viewOf(STAGE, LANDSCAPE, 'close')];

  test('begins with the one and ends with the other', () => {
    for (const [share, view] of [
      [0, from],
      [1, to],
    ] as const) {
      const moving = viewBetween(from, to, share);
      for (const part of ['x', 'y', 'scale'] as const)
        expect(moving[part]).toBeCloseTo(view[part], 6);
    }
  });

  test('keeps one point of the frame in its place', () => {
    const middle = { x: (680 - from.x) * from.scale, share: 0.37 };
    const moving = viewBetween(from, to, middle.share);

    expect((680 - moving.x) * moving.scale).toBeCloseTo(middle.x, 6);
  });

  test('shifts evenly where both have one scale', () => {
    const shifted = { ...from, x: from.x + 100 };

    expect(viewBetween(from, shifted, 0.25).x).toBeCloseTo(from.x + 25);
  });

  test('lies within the view around', () => {
    const around = viewAround(from, to);

    expect(around.scale).toBe(to.scale);
    for (const view of [from, to]) {
      expect(around.x).toBeLessThanOrEqual(view.x);
      expect(around.y).toBeLessThanOrEqual(view.y);
      expect(bottomOf(around)).toBeGreaterThanOrEqual(bottomOf(view) - 1);
    }
  });
});
