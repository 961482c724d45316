import { describe, expect, test } from 'vitest';
import { nextState } from '../../../../workers/agent/speech/segment-state.ts';

describe('segment state', () => {
  test('is sent when its stream opens', () => {
    expect(nextState({ type: 'waiting' }, { type: 'opened', at: 5 })).toEqual({
      type: 'sent',
      openedAt: 5,
    });
  });

  test('stays over when its stream opens after an interruption', () => {
    const ended = nextState({ type: 'waiting' }, { type: 'finished' });

    expect(nextState(ended, { type: 'opened', at: 5 })).toEqual({ type: 'over' });
  });
});
