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
        installing: [],
      }),
    );

    expect(texts['Hears']).toContain('it reads typed text');
    expect(texts['Thinks']).toContain('it quotes its instructions and files');
    expect(texts['Speaks']).toBe('With the built-in English voice');
    expect(texts['Languages']).toBe('English');
  });

  test('say what is being installed', () => {
    const texts = Object.fromEntries(
      abilityTexts({
        hears: null,
        thinks: null,
        speaks: builtIn,
        sees: false,
        languages: ['en'],
        installing: ['natural_voice', 'speech_recognition'],
      }),
    );

    expect(texts['Hears']).toMatch(/^Not yet: speech recognition is being installed/);
    expect(texts['Speaks']).toBe(
      'With the built-in English voice. A natural voice is being installed',
    );
  });

  test('name the models, and count many languages', () => {
    const texts = Object.fromEntries(
      abilityTexts({
        hears: builtIn,
        thinks: { by: 'service', model: 'thinker' },
        speaks: { by: 'external_api', model: 'speaker' },
        sees: true,
        languages: ['en', 'en-GB', 'de', 'fr', 'ja'],
        installing: [],
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

  test.each([
    [null, 'No: it quotes its instructions and files. For a conversation, run Ollama'],
    [
      { by: 'ollama', model: 'llama3.2' } as const,
      'With llama3.2 from Ollama. For another model, set OLLAMA_MODEL',
    ],
  ])('say how an agent that thinks with %j gets a better model', (thinks, words) => {
    const [, [, text] = []] = abilityTexts({
      hears: null,
      thinks,
      speaks: builtIn,
      sees: false,
      languages: ['en'],
      installing: [],
    });

    expect(text).toContain(words);
  });
});
