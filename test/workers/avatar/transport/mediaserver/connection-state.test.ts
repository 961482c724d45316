import { describe, expect, test } from 'vitest';
import { nextState } from '../../../../../workers/avatar/transport/mediaserver/connection-state.ts';

describe('the state of a connection', () => {
  test.each([
    ['resumes when the SDK reconnects', 'connected', 'reconnecting', 'resuming'],
    ['is back when it was resumed', 'resuming', 'reconnected', 'connected'],
    ['rejoins when the agent leaves meanwhile', 'resuming', 'agent_left', 'rejoining'],
    ['is back when it was joined again', 'rejoining', 'reconnected', 'connected'],
    ['does not rejoin when the agent leaves by itself', 'connected', 'agent_left', 'connected'],
    ['still rejoins after another attempt', 'rejoining', 'reconnecting', 'rejoining'],
    ['still resumes after another attempt', 'resuming', 'reconnecting', 'resuming'],
  ] as const)('%s', (_, from, event, to) => {
    expect(nextState(from, event)).toBe(to);
  });
});
