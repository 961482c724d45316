import { expect, test } from 'vitest';
import { NewestFrame } from '../../../../workers/agent/sight/newest-frame.ts';
import { TestClock } from '../../../support/test-clock.ts';

test('the newest frame of a camera takes the place of the one before', () => {
  const frames = new NewestFrame<string>(new TestClock());

  frames.keep('first');
  frames.keep('second');

  expect(frames.current).toBe('second');
});

test('a frame is of no use after three seconds', () => {
  const clock = new TestClock();
  const frames = new NewestFrame<string>(clock);
  frames.keep('frame');

  clock.advance(3_000);
  expect(frames.current).toBe('frame');
  clock.advance(1);
  expect(frames.current).toBeNull();
});

test('a camera that is turned off leaves no frame', () => {
  const frames = new NewestFrame<string>(new TestClock());
  frames.keep('frame');

  frames.forget();

  expect(frames.current).toBeNull();
});
