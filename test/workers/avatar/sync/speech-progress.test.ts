import { describe, expect, test } from 'vitest';
import { SpeechProgress } from '../../../../workers/avatar/sync/speech-progress.ts';
import { TestClock } from '../../../support/test-clock.ts';

const NOTHING = (): number[] => [];

function given() {
  const clock = new TestClock();
  const reports: { atMs: number; open: number[] }[] = [];
  let read = NOTHING;
  const progress = new SpeechProgress(clock, {
    read: () => read(),
    tell: (open) => reports.push({ atMs: clock.elapsed(), open }),
  });
  const becomes = (nextRead: () => number[]) => {
    read = nextRead;
    progress.changed();
  };
  return { clock, reports, progress, becomes };
}

describe('speech progress', () => {
  test('is reported when a segment opens or ends, and every 100 ms in between', () => {
    const { clock, reports, becomes } = given();

    becomes(() => [clock.elapsed() / 1000]);
    clock.advance(250);
    becomes(() => []);
    clock.advance(5_000);

    expect(reports).toEqual([
      { atMs: 0, open: [0] },
      { atMs: 100, open: [0.1] },
      { atMs: 200, open: [0.2] },
      { atMs: 250, open: [] },
    ]);
    expect(clock.waiting).toBe(0);
  });

  test('is not reported again while a segment waits for more speech', () => {
    const { clock, reports, progress, becomes } = given();

    becomes(() => [1]);
    clock.advance(2_000);
    progress.close();

    expect(reports).toEqual([{ atMs: 0, open: [1] }]);
    expect(clock.waiting).toBe(0);
  });
});
