import { describe, expect, test } from 'vitest';
import { AvOffsets } from '../../../../workers/avatar/sync/av-offsets.ts';

describe('offsets of picture and sound', () => {
  test('are told of each session that spoke, on average, since they were last taken', () => {
    const offsets = new AvOffsets();
    offsets.count('session-1', 1);
    offsets.count('session-2', 30);
    offsets.count('session-1', 2.12);

    expect(offsets.take()).toEqual([1.6, 30]);
    expect(offsets.take()).toEqual([]);
  });
});
