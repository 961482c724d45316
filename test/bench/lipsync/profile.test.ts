import { expect, test } from 'vitest';
import { shareIn, type Profile } from './profile.ts';

const node = (id: number, url: string, children: number[] = []) => ({
  id,
  callFrame: { functionName: '', url },
  children,
});

test('the share of a folder includes the callees of its functions, and counts each sample once', () => {
  const profile: Profile = {
    nodes: [
      node(1, '', [2, 5]),
      node(2, 'file:///workers/avatar/lipsync/a.ts', [3]),
      node(3, 'file:///workers/avatar/lipsync/b.ts', [4]),
      node(4, 'wasm://wasm/1'),
      node(5, 'file:///workers/avatar/speech/c.ts'),
    ],
    samples: [1, 2, 3, 4, 5],
    timeDeltas: [100, 100, 10, 20, 30],
    startTime: 0,
    endTime: 300,
  };

  // Samples 2, 3 and 4 stand for 10, 20 and 30. The time before a sample belongs to its
  // predecessor.
  expect(shareIn(profile, '/lipsync/')).toBeCloseTo(60 / 300);
});
