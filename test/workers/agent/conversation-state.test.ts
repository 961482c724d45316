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

  test('opens again when it leaves its room to join it again', () => {
    expect(nextState('talking', 'left')).toBe('opening');
    expect(nextState('released', 'left')).toBe('released');
  });

  test('never leaves over', () => {
    expect(nextState('talking', 'ended')).toBe('over');
    for (const event of ['joined', 'left', 'released', 'ended'] as const)
      expect(nextState('over', event)).toBe('over');
  });
});
