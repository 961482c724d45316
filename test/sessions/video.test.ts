import { describe, expect, test } from 'vitest';
import { isPlain, videoFor } from '../../src/sessions/video.ts';

describe('the picture of a session', () => {
  test('is plain without wishes', () => {
    expect(videoFor()).toEqual({ width: 512, height: 512, fps: 25 });
    expect(videoFor(null, undefined, {})).toEqual({ width: 512, height: 512, fps: 25 });
  });

  test('follows the first wish, part by part', () => {
    const own = { background: { kind: 'blur' } } as const;
    const agent = {
      size: { width: 1280, height: 720 },
      framing: 'wide',
      background: { kind: 'colour', colour: '#000000' },
    } as const;
    const screen = { size: { width: 720, height: 1280 }, fps: 30 };

    expect(videoFor(own, agent, screen)).toEqual({
      width: 1280,
      height: 720,
      fps: 30,
      framing: 'wide',
      background: { kind: 'blur' },
    });
  });

  test('has no background if the avatar’s own room is asked for', () => {
    const agent = { background: { kind: 'blur' } } as const;

    expect(videoFor({ background: { kind: 'own' } }, agent)).toEqual(videoFor());
  });

  test('needs a worker that draws frames unless it is plain', () => {
    expect(isPlain(videoFor())).toBe(true);
    for (const wish of [
      { size: { width: 512, height: 514 } },
      { fps: 30 },
      { framing: 'close' },
      { background: { kind: 'transparent' } },
    ] as const)
      expect(isPlain(videoFor(wish))).toBe(false);
  });
});
