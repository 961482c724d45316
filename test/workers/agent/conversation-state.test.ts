import { describe, expect, test } from 'vitest';
import { nextState } from '../../../workers/agent/conversation-state.ts';

describe('conversation state', () => {
  test('goes from opening to talking to released', () => {
    const talking = nextState('opening', 'joined');
    expect(talking).toBe('talking');

    expect(nextState(talking, 'released')).toBe('released');
  });

  test('is released only from talking', () => {
    expect(nextState('opening', 'released')).toBe('opening');
  });

  test('never leaves over', () => {
    expect(nextState('talking', 'ended')).toBe('over');
    for (const event of ['joined', 'released', 'ended'] as const)
      expect(nextState('over', event)).toBe('over');
  });
});
