import { describe, expect, test } from 'vitest';
import { nearestName, nearNames } from '#shared/nearest-name.ts';

const knownNames = ['name', 'avatar_id', 'system_prompt', 'max_session_length_minutes'];

describe('the nearest known name', () => {
  test.each([
    ['avatarId', 'avatar_id'],
    ['AVATAR-ID', 'avatar_id'],
    ['nane', 'name'],
    ['prompt', 'system_prompt'],
    ['max_session_minutes', 'max_session_length_minutes'],
    ['', 'name'],
  ])('of %j is %s', (name, nearest) => {
    expect(nearestName(name, knownNames)).toBe(nearest);
  });

  test('is found by the beginning of a name that is far too long', () => {
    expect(nearestName(`system_prompt${'x'.repeat(1_000_000)}`, knownNames)).toBe('system_prompt');
  });
});

describe('the near names', () => {
  const avatars = ['nora', 'theo', 'samuel', 'ines'];

  test.each([
    ['norah', ['nora']],
    ['NORA ', ['nora']],
    ['teho', ['theo']],
    ['sam', ['samuel']],
    ['b9be11b8-89fb-4227-8f86-4a881393cbdb', []],
    ['', []],
  ])('of %j are %j', (name, near) => {
    expect(nearNames(name, avatars)).toEqual(near);
  });

  test('come nearest first, at most three', () => {
    expect(nearNames('anna', ['hanna', 'anna-2', 'nora', 'anne', 'ann'])).toHaveLength(3);
    expect(nearNames('nori', ['noris', 'nora', 'nori'])[0]).toBe('nori');
  });
});
