import { expect, test } from 'vitest';
import { screenOf } from '../../../../src/web/call/picture/screen.ts';

test('the shape of a place for the picture', () => {
  expect(screenOf({ width: 890, height: 776 })).toBe('landscape');
  expect(screenOf({ width: 390, height: 490 })).toBe('portrait');
  expect(screenOf({ width: 320, height: 300 })).toBeNull();
  expect(screenOf({ width: 0, height: 0 })).toBeNull();
});
