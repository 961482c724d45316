import { initializeLogger } from '@livekit/agents';
import { beforeAll, describe, expect, test } from 'vitest';
import type { LocalSpeechModel } from '../../../../workers/agent/stt/local-speech-model.ts';
import type { Utterance } from '../../../../workers/agent/stt/recognizer-program.ts';
import { SpeechRecognition } from '../../../../workers/agent/stt/speech-recognition.ts';

beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));

const model = (facts: Partial<LocalSpeechModel> = {}): LocalSpeechModel => ({
  languages: ['en'],
  interims: null,
  state: 'ready',
  whenDecided: Promise.resolve('ready'),
  endOfTurn: async () => 0.9,
  recognize: async (samples, sampleRate) => ({
    text: `${samples.length / sampleRate} seconds`,
    certainty: 0.7,
  }),
  close: () => {},
  ...facts,
});

const recognitionBy = (...models: LocalSpeechModel[]) =>
  new SpeechRecognition({ models, close: () => {} });

const { signal } = new AbortController();
const english = { stt: null, language: 'en-GB' };

describe('speech recognition', () => {
  test('uses the endpoint, and is absent without endpoint and model', () => {
    const deaf = recognitionBy();
    const endpoint = { url: 'http://127.0.0.1:1/v1', key: null, model: 'whisper' };

    expect(deaf.recognizerFor(english)).toBeNull();
    expect(deaf.recognizerFor({ ...english, stt: endpoint })).toMatchObject({
      isReady: true,
      hearing: { isLocal: false, endOfTurn: null },
    });
    expect(deaf.abilities).toEqual([]);
  });

  test('uses the model of the worker for agents of its language', async () => {
    const recognition = recognitionBy(model());
    const recognizer = recognition.recognizerFor(english);

    const transcript = await recognizer!.hearing.transcribe(new Int16Array(16_000), signal);

    expect(recognizer?.isReady).toBe(true);
    expect(transcript).toEqual({ text: '1 seconds', certainty: 0.7 });
    expect(recognition.recognizerFor({ stt: null, language: 'de' })).toBeNull();
    expect(recognition.abilities).toEqual(['hears:en']);
  });

  test('uses a fallback only if the worker does not hear itself', () => {
    const endpoint = { url: 'http://127.0.0.1:1/v1', key: null, model: 'gemma', isFallback: true };
    const withFallback = { stt: endpoint, language: 'en' };

    const deaf = recognitionBy().recognizerFor(withFallback);
    const hearing = recognitionBy(model()).recognizerFor(withFallback);
    const german = recognitionBy(model()).recognizerFor({
      ...withFallback,
      language: 'de',
    });

    expect(deaf?.hearing.isLocal).toBe(false);
    expect(hearing?.hearing.isLocal).toBe(true);
    expect(german?.hearing.isLocal).toBe(false);
  });

  test('judges turns of all languages by the model of the worker, once it is there', async () => {
    const endpoint = { url: 'http://127.0.0.1:1/v1', key: null, model: 'whisper' };
    const german = { stt: endpoint, language: 'de' };

    const { hearing } = recognitionBy(model()).recognizerFor(german)!;
    const pending = recognitionBy(model({ state: 'pending' })).recognizerFor(german)!;

    expect(await hearing.endOfTurn?.(new Int16Array(16_000))).toBe(0.9);
    expect(pending.hearing.endOfTurn).toBeNull();
  });

  test('uses the model of each language, and one for the end of turns', async () => {
    const heard: (Utterance | undefined)[] = [];
    const german = model({
      languages: ['de', 'fr'],
      endOfTurn: null,
      recognize: async (_samples, _rate, utterance) => {
        heard.push(utterance);
        return { text: 'guten Tag', certainty: 0.9 };
      },
    });
    const recognition = recognitionBy(model(), german);
    const { hearing } = recognition.recognizerFor({ stt: null, language: 'fr-CH' })!;

    const { text } = await hearing.transcribe(new Int16Array(16_000), signal);
    expect(text).toBe('guten Tag');
    expect(heard).toEqual([{ language: 'fr', goesOn: false }]);
    expect(await hearing.endOfTurn?.(new Int16Array(16_000))).toBe(0.9);
    expect(recognition.recognizerFor({ stt: null, language: 'it' })).toBeNull();
    expect(recognition.abilities).toEqual(['hears:en', 'hears:de', 'hears:fr']);
  });

  test('passes over a model that this machine is too slow for', () => {
    const slow = model({ languages: ['de'], state: 'too_slow' });
    const recognition = recognitionBy(model(), slow, model({ languages: ['de', 'fr'] }));

    expect(recognition.recognizerFor({ stt: null, language: 'de' })?.isReady).toBe(true);
    expect(recognition.abilities).toEqual(['hears:en', 'hears:de', 'hears:fr', 'too_slow_to_hear']);
  });

  test('prepares a model when a call will use it', () => {
    let timesPrepared = 0;
    const german = model({ languages: ['de'], prepare: () => timesPrepared++ });
    const recognition = recognitionBy(model(), german);

    recognition.recognizerFor(english);
    expect(timesPrepared).toBe(0);
    recognition.recognizerFor({ stt: null, language: 'de' });
    expect(timesPrepared).toBe(1);
  });

  test('uses a model of unknown language for all agents', () => {
    const recognition = recognitionBy(model({ languages: null }));

    expect(recognition.recognizerFor({ stt: null, language: 'de' })?.isReady).toBe(true);
    expect(recognition.abilities).toEqual(['hears']);
  });

  test.each([
    ['ready', true],
    ['too_slow', false],
  ] as const)('waits for a model that turns out to be %s', async (verdict, isReady) => {
    const pending = model({ state: 'pending', whenDecided: Promise.resolve(verdict) });
    const recognition = recognitionBy(pending);
    const recognizer = recognition.recognizerFor(english);

    expect(recognizer?.isReady).toBe(false);
    expect(await recognizer?.whenReady).toBe(isReady);
    expect(recognition.abilities).toEqual([]);
  });

  test('says that the machine is too slow', () => {
    const recognition = recognitionBy(model({ state: 'too_slow' }));

    expect(recognition.recognizerFor(english)).toBeNull();
    expect(recognition.abilities).toEqual(['too_slow_to_hear']);
  });
});
