import { describe, expect, test } from 'vitest';
import { maxLive, requireFeature } from '../../src/accounts/limits.ts';

describe("an account's plan", () => {
  test.each([
    { plan: 'free', sessions: 1 },
    { plan: 'scale', sessions: 50 },
    { plan: 'unlimited', sessions: null },
  ] as const)('$plan allows $sessions live sessions', ({ plan, sessions }) => {
    expect(maxLive({ plan })).toBe(sessions);
  });

  test.each(['free', 'creator'] as const)('%s has no rooms of its own', (plan) => {
    expect(() => requireFeature({ plan }, 'mediaserver_rooms')).toThrow(
      expect.objectContaining({ fault: 'not_in_plan', status: 403 }),
    );
  });

  test.each(['growth', 'scale', 'unlimited'] as const)('%s has rooms of its own', (plan) => {
    expect(() => requireFeature({ plan }, 'mediaserver_rooms')).not.toThrow();
  });

  test('free has no external APIs', () => {
    expect(() => requireFeature({ plan: 'free' }, 'external_apis')).toThrow(
      expect.objectContaining({ fault: 'not_available', status: 501 }),
    );
    expect(() => requireFeature({ plan: 'creator' }, 'external_apis')).not.toThrow();
  });
});
