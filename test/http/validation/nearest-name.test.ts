import { describe, expect, test } from 'vitest';
import { nearestName } from '../../../src/http/validation/nearest-name.ts';

const known = ['name', 'avatar_id', 'system_prompt', 'max_session_length_minutes'];

describe('the nearest known name', () => {
  test.each([
    ['avatarId', 'avatar_id'],
    ['AVATAR-ID', 'avatar_id'],
    ['nane', 'name'],
    ['prompt', 'system_prompt'],
    ['max_session_minutes', 'max_session_length_minutes'],
    ['', 'name'],
  ])('of %j is %s', (name, nearest) => {
    expect(nearestName(name, known)).toBe(nearest);
  });

  test('is found by the beginning of a name that is far too long', () => {
    expect(nearestName(`system_prompt${'x'.repeat(1_000_000)}`, known)).toBe('system_prompt');
  });
});
