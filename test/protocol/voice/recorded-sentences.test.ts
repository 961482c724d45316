import { describe, expect, test } from 'vitest';
import { BUILT_IN_VOICES } from '#protocol/voice/built-in-voices.ts';
import { recordedSentences, recordingOf } from '#protocol/voice/recorded-sentences.ts';

const [nora] = BUILT_IN_VOICES;

describe('recorded sentences', () => {
  test('have a path, by voice', () => {
    const sentences = recordedSentences('Nora');

    expect(sentences.map((sentence) => recordingOf(nora, sentence))).toEqual(
      sentences.map((_, i) => `/voices/nora/recordings/${i}`),
    );
  });

  test.each([['Something else.'], [recordedSentences('Theo')[0]!]])('do not have %s', (text) => {
    expect(recordingOf(nora, text)).toBeNull();
  });
});
