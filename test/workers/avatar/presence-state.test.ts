import { describe, expect, test } from 'vitest';
import { nextState } from '../../../workers/avatar/presence-state.ts';

describe('the presence of a participant', () => {
  test.each([
    ['is expected when it has not joined before us', 'unknown', false, 'expected'],
    ['is known when it has joined before us', 'unknown', true, 'here'],
    ['begins when it joins', 'expected', true, 'here'],
    ['is still expected when others join and leave', 'expected', false, 'expected'],
    ['ends when it leaves', 'here', false, 'away'],
    ['stays ended when others join and leave', 'away', false, 'away'],
    ['begins again when it returns', 'away', true, 'here'],
  ] as const)('%s', (_, from, isHere, to) => {
    expect(nextState(from, isHere)).toBe(to);
  });
});
