import { describe, expect, test } from 'vitest';
import { baseLanguage, LANGUAGES } from '#protocol/languages.ts';
import { SPEECH_MODELS, speechModelsFor } from '../../src/speech-models/models.ts';

const idsFor = (wanted: string): string[] => speechModelsFor(wanted).map(({ id }) => id);

describe('the list of speech models', () => {
  test('has one model for a language: the better of several', () => {
    expect(idsFor('de')).toEqual(['kroko-de']);
    expect(idsFor('it')).toEqual(['whisper-base']);
  });

  test('has one for each language of agents but English, which `npm start` installs', () => {
    const without = LANGUAGES.map(baseLanguage).filter((language) => idsFor(language).length === 0);

    expect(new Set(without)).toEqual(new Set(['en']));
  });

  test('knows models by their ids, and all of them', () => {
    expect(idsFor('whisper-base')).toEqual(['whisper-base']);
    expect(speechModelsFor('all')).toEqual(SPEECH_MODELS);
  });

  test.each(['en', 'tlh', ''])('has none for “%s”', (wanted) => {
    expect(idsFor(wanted)).toEqual([]);
  });
});
