import { expect, test } from 'vitest';
import { fittedSize } from '../../../src/http/compat/picture-size.ts';

test.each([
  ['an allowed size', [368, 560], [368, 560]],
  ['odd sides', [721, 479.6], [722, 480]],
  ['a picture that is too large', [3840, 2160], [1920, 1080]],
  ['a picture that is too small', [160, 120], [342, 256]],
  ['a picture that is too long', [4000, 100], [1920, 480]],
])('%s is fitted', (_what, [width, height], [fittedWidth, fittedHeight]) => {
  expect(fittedSize({ width: width!, height: height! })).toEqual({
    width: fittedWidth,
    height: fittedHeight,
  });
});
