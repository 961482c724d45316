import { describe, expect, test } from 'vitest';
import { Playback } from '../../../../workers/avatar/sync/playback.ts';
import { TestClock } from '../../../support/test-clock.ts';

function given() {
  const clock = new TestClock();
  const calls: unknown[] = [];
  const playback = new Playback(clock, {
    playbackStarted: () => calls.push('started'),
    playbackFinished: (event) => calls.push(event),
  });
  return { clock, calls, playback };
}

describe('playback', () => {
  test('finishes a segment only when its last sample was played', () => {
    const { clock, calls, playback } = given();
    playback.open(1);
    playback.schedule(1, 0, 500);
    playback.complete(1);

    clock.advance(500);
    const earlyCalls = [...calls];
    clock.advance(10);

    expect(earlyCalls).toEqual(['started']);
    expect(calls).toEqual(['started', { positionSeconds: 0.5, interrupted: false }]);
  });

  test('reports the start of a queued segment when it begins to play', () => {
    const { clock, calls, playback } = given();
    playback.open(1);
    playback.open(2);
    playback.schedule(1, 0, 100);
    playback.complete(1);
    playback.schedule(2, 100, 50);
    playback.complete(2);

    clock.advance(300);

    expect(calls).toEqual([
      'started',
      { positionSeconds: 0.1, interrupted: false },
      'started',
      { positionSeconds: 0.05, interrupted: false },
    ]);
  });

  test('finishes each open segment once on a cut, at its position', () => {
    const { clock, calls, playback } = given();
    playback.open(1);
    playback.open(2);
    playback.open(3);
    playback.schedule(1, 0, 200);
    playback.schedule(2, 200, 1000);

    clock.advance(150);
    playback.cut();
    clock.advance(5000);

    expect(calls).toEqual([
      'started',
      { positionSeconds: 0.15, interrupted: true },
      { positionSeconds: 0, interrupted: true },
      { positionSeconds: 0, interrupted: true },
    ]);
  });

  test('does not count a gap in the middle of a segment', () => {
    const { clock, calls, playback } = given();
    playback.open(1);
    playback.schedule(1, 0, 100);
    playback.schedule(1, 400, 100);

    clock.advance(450);
    playback.cut();

    expect(calls.at(-1)).toEqual({ positionSeconds: 0.15, interrupted: true });
  });

  test('does not report a fully played segment as interrupted on a cut', () => {
    const { clock, calls, playback } = given();
    playback.open(1);
    playback.schedule(1, 0, 100);
    playback.complete(1);

    clock.advance(105);
    playback.cut();

    expect(calls.at(-1)).toEqual({ positionSeconds: 0.1, interrupted: false });
  });

  test('finishes an empty segment at once, in order', () => {
    const { clock, calls, playback } = given();
    playback.open(1);
    playback.open(2);
    playback.complete(2);
    playback.schedule(1, 0, 20);
    playback.complete(1);

    clock.advance(100);

    expect(calls).toEqual([
      'started',
      { positionSeconds: 0.02, interrupted: false },
      { positionSeconds: 0, interrupted: false },
    ]);
  });
});
