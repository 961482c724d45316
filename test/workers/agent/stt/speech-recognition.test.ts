import { initializeLogger } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { SpeechRecognition } from '../../../../workers/agent/stt/speech-recognition.ts';
import { openRecognizer } from '../../../../workers/agent/stt/sherpa.ts';
import { SherpaStt } from '../../../../workers/agent/stt/sherpa-stt.ts';
import { until } from '../../../support/until.ts';

const log = createLog({ name: 'test', level: 'silent' });

let folder: string;
beforeAll(() => initializeLogger({ pretty: false, level: 'silent' }));
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-sherpa-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const notInstalled = () => Promise.reject(new Error('Cannot find package'));

const put = (...files: string[]) =>
  Promise.all(files.map((file) => writeFile(path.join(folder, file), '')));

/** Replaces the package, because tests have no model. Its transcript is the length of the input. */
const sherpa = (configs: object[]) => async () => ({
  OfflineRecognizer: class {
    constructor(config: object) {
      configs.push(config);
    }
    createStream() {
      const audio = { seconds: 0 };
      return {
        audio,
        acceptWaveform: ({ samples, sampleRate }: { samples: Float32Array; sampleRate: number }) =>
          void (audio.seconds = samples.length / sampleRate),
      };
    }
    async decodeAsync() {}
    getResult({ audio }: { audio: { seconds: number } }) {
      return { text: ` ${audio.seconds} seconds ` };
    }
  },
});

describe('speech recognition', () => {
  test('uses the endpoint, and is absent without endpoint and model', async () => {
    const deaf = new SpeechRecognition(undefined, log);
    const endpoint = { url: 'http://127.0.0.1:1/v1', key: null, model: 'whisper' };

    expect(await deaf.recognizerFor({ stt: null, language: 'en' })).toBeNull();
    expect(await deaf.recognizerFor({ stt: endpoint, language: 'en-GB' })).toMatchObject({
      model: 'whisper',
      capabilities: { streaming: false },
    });
  });

  test('is absent if the model fails to load', async () => {
    const recognition = new SpeechRecognition(folder, log);

    expect(await recognition.recognizerFor({ stt: null, language: 'en' })).toBeNull();
  });

  test('distinguishes transducers and Whisper models by their files', async () => {
    const configs: { modelConfig?: object }[] = [];
    await put('tokens.txt', 'encoder-epoch-99.int8.onnx', 'decoder-epoch-99.onnx');
    await openRecognizer(folder, sherpa(configs));
    await put('joiner-epoch-99.onnx');
    await openRecognizer(folder, sherpa(configs));

    expect(configs[0]!.modelConfig).toMatchObject({ whisper: {} });
    expect(configs[1]!.modelConfig).toMatchObject({
      transducer: { joiner: path.join(folder, 'joiner-epoch-99.onnx') },
    });
  });

  test('detects a Moonshine model by its merged decoder', async () => {
    const configs: { modelConfig?: object }[] = [];
    await put('tokens.txt', 'encoder_model.ort', 'decoder_model_merged.ort');

    await openRecognizer(folder, sherpa(configs));

    expect(configs[0]!.modelConfig).toMatchObject({
      moonshine: { mergedDecoder: path.join(folder, 'decoder_model_merged.ort') },
    });
  });

  test('names the package to install and the missing files', async () => {
    await expect(openRecognizer(folder, sherpa([]))).rejects.toThrow(
      'contains no sherpa-onnx model',
    );
    await put('tokens.txt', 'encoder.onnx', 'decoder.onnx');

    await expect(openRecognizer(folder, notInstalled)).rejects.toThrow(
      'npm install sherpa-onnx-node',
    );
  });

  test('transcribes an utterance', async () => {
    await put('tokens.txt', 'encoder.onnx', 'decoder.onnx');
    const stt = new SherpaStt(await openRecognizer(folder, sherpa([])));

    const { alternatives } = await stt.recognize([
      new AudioFrame(new Int16Array(8_000), 16_000, 1, 8_000),
      new AudioFrame(new Int16Array(8_000), 16_000, 1, 8_000),
    ]);

    expect(alternatives?.[0].text).toBe('1 seconds');
  });

  test('transcribes a long utterance in pieces that the model can take', async () => {
    await put('tokens.txt', 'encoder_model.ort', 'decoder_model_merged.ort');
    const recognizer = await openRecognizer(folder, sherpa([]));
    const speech = new Float32Array(12 * 16_000).fill(0.5).fill(0, 6 * 16_000, 6.1 * 16_000);

    expect(await recognizer.recognize(speech, 16_000)).toBe('6.05 seconds 5.95 seconds');
  });

  test('transcribes one utterance at a time, also after one has failed', async () => {
    await put('tokens.txt', 'encoder.onnx', 'decoder.onnx');
    const decodes: PromiseWithResolvers<void>[] = [];
    const { OfflineRecognizer } = await sherpa([])();
    const recognizer = await openRecognizer(folder, async () => ({
      OfflineRecognizer: class extends OfflineRecognizer {
        override decodeAsync() {
          decodes.push(Promise.withResolvers());
          return decodes.at(-1)!.promise;
        }
      },
    }));
    const firstText = recognizer.recognize(new Float32Array(8_000), 16_000);
    const second = recognizer.recognize(new Float32Array(16_000), 16_000);
    await until(() => decodes.length === 1);

    decodes[0]!.reject(new Error('out of memory'));
    await expect(firstText).rejects.toThrow('out of memory');
    await until(() => decodes.length === 2);
    decodes[1]!.resolve();

    expect(await second).toBe('1 seconds');
  });
});
