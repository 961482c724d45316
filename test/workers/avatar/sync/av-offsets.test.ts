import { describe, expect, test } from 'vitest';
import { AvOffsets } from '../../../../workers/avatar/sync/av-offsets.ts';

describe('audio-video offsets', () => {
  test('are means since the last call, one for each session that spoke', () => {
    const offsets = new AvOffsets();
    offsets.count('session-1', 1);
    offsets.count('session-2', 30);
    offsets.count('session-1', 2.12);

    expect(offsets.take()).toEqual([1.6, 30]);
    expect(offsets.take()).toEqual([]);
  });
});
