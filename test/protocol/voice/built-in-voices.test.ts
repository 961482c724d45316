import { describe, expect, test } from 'vitest';
import { BUILT_IN_VOICES, builtInVoice } from '#protocol/voice/built-in-voices.ts';

describe('the built-in voices', () => {
  test('are two women and two men, no two alike', () => {
    expect(BUILT_IN_VOICES.filter(({ sex }) => sex === 'female')).toHaveLength(2);
    expect(BUILT_IN_VOICES.filter(({ sex }) => sex === 'male')).toHaveLength(2);
    const pitches = BUILT_IN_VOICES.map(({ speaker }) => speaker?.pitch ?? 1);
    expect(new Set(pitches).size).toBe(4);
  });

  test.each([[null], [undefined], ['unknown']])('are Nora for %s', (id) => {
    expect(builtInVoice(id).id).toBe('nora');
  });
});
