import { describe, expect, test } from 'vitest';
import { endRound, requestRound, type Rounds } from '#shared/rounds.ts';

describe('rounds', () => {
  test.each<[Rounds, Rounds]>([
    ['idle', 'running'],
    ['running', 'requested'],
    ['requested', 'requested'],
  ])('are %s before a request and %s after it', (state, expected) => {
    expect(requestRound(state)).toBe(expected);
  });

  test.each<[Rounds, Rounds]>([
    ['running', 'idle'],
    ['requested', 'running'],
  ])('are %s during a round and %s after it', (state, expected) => {
    expect(endRound(state)).toBe(expected);
  });
});
