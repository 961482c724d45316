import { describe, expect, test } from 'vitest';
import { abilityTexts } from '../../../src/web/abilities/abilities.ts';

const builtIn = { by: 'built_in', model: null } as const;

describe('abilities in words', () => {
  test('say what an agent without models does instead', () => {
    const texts = Object.fromEntries(
      abilityTexts({
        hears: null,
        thinks: null,
        speaks: builtIn,
        sees: false,
        languages: ['en', 'en-GB'],
      }),
    );

    expect(texts['Hears']).toContain('it reads typed text');
    expect(texts['Thinks']).toContain('it quotes its instructions and files');
    expect(texts['Speaks']).toBe('With the built-in English voice');
    expect(texts['Languages']).toBe('English');
  });

  test('name the models, and count many languages', () => {
    const texts = Object.fromEntries(
      abilityTexts({
        hears: builtIn,
        thinks: { by: 'service', model: 'thinker' },
        speaks: { by: 'external_api', model: 'speaker' },
        sees: true,
        languages: ['en', 'en-GB', 'de', 'fr', 'ja'],
      }),
    );

    expect(texts).toEqual({
      Hears: 'With the speech recognition of the agent worker',
      Thinks: 'With thinker, set up for the service',
      Speaks: 'With speaker, from your external API',
      Sees: 'The camera of the user',
      Languages: '4 languages',
    });
  });
});
