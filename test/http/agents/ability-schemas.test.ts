import { expect, test } from 'vitest';
import type { Abilities } from '#protocol/abilities.ts';
import { toAgentAbilities } from '../../../src/http/agents/ability-schemas.ts';

const BUILT_IN: Abilities = {
  hears: { by: 'built_in', model: null },
  thinks: null,
  speaks: { by: 'built_in', model: null },
  sees: false,
  languages: ['en', 'en-GB'],
  installing: [],
};

test('an agent without models hears, and speaks with the built-in voice', () => {
  expect(toAgentAbilities(BUILT_IN, 'en-GB')).toEqual({
    hears: true,
    sees: null,
    thinks_with: null,
    speaks_with: 'built-in voice',
  });
});

test('an agent whose language no voice speaks, speaks with nothing', () => {
  expect(toAgentAbilities(BUILT_IN, 'ja').speaks_with).toBeNull();
});

test('an agent that sees names the model that looks', () => {
  const thinks = { by: 'ollama', model: 'llava' } as const;

  expect(toAgentAbilities({ ...BUILT_IN, thinks, sees: true }, 'en').sees).toBe('ollama/llava');
});

test.each([
  [{ by: 'service', model: 'gpt-4.1-mini' } as const, 'gpt-4.1-mini'],
  [{ by: 'external_api', model: 'own' } as const, 'own'],
  [{ by: 'ollama', model: 'qwen3:8b' } as const, 'ollama/qwen3:8b'],
])('an agent that thinks with %j names the engine', (thinks, name) => {
  const abilities = { ...BUILT_IN, hears: null, thinks };

  expect(toAgentAbilities(abilities, 'en')).toMatchObject({ hears: false, thinks_with: name });
});
