import { describe, expect, test } from 'vitest';
import { hasStream, isStopped, nextState } from '../../../../src/web/try/session/sending-state.ts';

describe('the utterance that is sent', () => {
  test.each([
    ['is sent when its stream is open', 'preparing', 'stream_opened', 'sending'],
    ['is dropped by a stop before that', 'preparing', 'stopped', 'dropped'],
    ['is stopped by a stop after that', 'sending', 'stopped', 'stopping'],
    ['is stopped when its stream opens after the stop', 'dropped', 'stream_opened', 'stopping'],
    ['stays dropped after a second stop', 'dropped', 'stopped', 'dropped'],
    ['stays stopped after a second stop', 'stopping', 'stopped', 'stopping'],
  ] as const)('%s', (_, previous, event, next) => {
    expect(nextState(previous, event)).toBe(next);
  });

  test('is reported by the avatar only if it has a stream', () => {
    const states = ['preparing', 'sending', 'dropped', 'stopping'] as const;

    expect(states.filter(hasStream)).toEqual(['sending', 'stopping']);
    expect(states.filter(isStopped)).toEqual(['dropped', 'stopping']);
  });
});
