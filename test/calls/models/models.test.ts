import { describe, expect, test } from 'vitest';
import { defaultModels } from '../../../src/calls/models/default-models.ts';
import { serviceModels } from '../../../src/calls/models/models.ts';
import { loadConfig } from '../../../src/config.ts';

const modelsWith = (env: Record<string, string>) => serviceModels(loadConfig(env));
const OPENAI = 'https://api.openai.com/v1';

describe('the models of the service', () => {
  test('are absent without settings', () => {
    expect(modelsWith({})).toMatchObject({ llm: null, stt: null, tts: null, embeddings: null });
  });

  test('are those of OpenAI with a key alone', () => {
    const { llm, stt, tts } = modelsWith({ OPENAI_API_KEY: 'key' });

    expect([llm, stt, tts]).toMatchObject([
      { url: OPENAI, key: 'key', model: 'gpt-4.1-mini' },
      { url: OPENAI, key: 'key', model: 'gpt-4o-mini-transcribe' },
      { url: OPENAI, key: 'key', model: 'gpt-4o-mini-tts', voice: 'alloy' },
    ]);
  });

  test('are those of another server without a key, for speech if they are named', () => {
    const base = { OPENAI_BASE_URL: 'http://127.0.0.1:8081/v1/' };
    expect(modelsWith(base)).toMatchObject({
      llm: { url: 'http://127.0.0.1:8081/v1', key: null },
      stt: null,
      tts: null,
    });
    expect(modelsWith({ ...base, OPENAI_STT_MODEL: 'whisper' }).stt).toEqual({
      url: 'http://127.0.0.1:8081/v1',
      key: null,
      model: 'whisper',
    });
  });

  test('hear and speak at other servers, which get no key', () => {
    const { llm, stt, tts } = modelsWith({
      OPENAI_API_KEY: 'key',
      OPENAI_STT_BASE_URL: 'http://127.0.0.1:8000/v1',
      OPENAI_STT_MODEL: 'whisper',
      OPENAI_TTS_BASE_URL: 'http://127.0.0.1:8001/v1',
    });

    expect(llm).toMatchObject({ url: OPENAI, key: 'key' });
    expect(stt).toEqual({ url: 'http://127.0.0.1:8000/v1', key: null, model: 'whisper' });
    // Its model is not known.
    expect(tts).toBeNull();
  });

  test('speak without a language model', () => {
    const { llm, tts } = modelsWith({
      OPENAI_TTS_BASE_URL: 'http://127.0.0.1:8000/v1',
      OPENAI_TTS_MODEL: 'kokoro',
      OPENAI_TTS_VOICE: 'af_heart',
    });

    expect(llm).toBeNull();
    expect(tts).toMatchObject({ key: null, model: 'kokoro', voice: 'af_heart' });
  });
});

describe('the default models', () => {
  const model = { name: 'llama3.2', capabilities: ['completion'], loadedUntil: null };
  const ollama = { state: async () => ({ model, installed: ['llama3.2'] }) };

  test('are those of the service first', async () => {
    const service = modelsWith({ OPENAI_API_KEY: 'key' });

    expect(await defaultModels(service, null)).toEqual({
      thinks: { model: 'gpt-4.1-mini', by: 'service' },
      hears: 'gpt-4o-mini-transcribe',
      speaks: 'gpt-4o-mini-tts',
      installed: null,
    });
  });

  test('are those of Ollama without them', async () => {
    expect(await defaultModels(modelsWith({}), ollama)).toMatchObject({
      thinks: { model: 'llama3.2', by: 'ollama' },
      installed: ['llama3.2'],
    });
  });

  test('are absent without either', async () => {
    expect(await defaultModels(modelsWith({}), { state: async () => null })).toEqual({
      thinks: null,
      hears: null,
      speaks: null,
      installed: null,
    });
  });
});
