import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openSherpa } from '../../../../workers/agent/stt/sherpa.ts';

let folder: string;
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

describe('a sherpa-onnx model', () => {
  test('is a transducer or a Whisper model by its files', async () => {
    const configs: { modelConfig?: object }[] = [];
    await put('tokens.txt', 'encoder-epoch-99.int8.onnx', 'decoder-epoch-99.onnx');
    await openSherpa(folder, sherpa(configs));
    await put('joiner-epoch-99.onnx');
    await openSherpa(folder, sherpa(configs));

    expect(configs[0]!.modelConfig).toMatchObject({ whisper: {} });
    expect(configs[1]!.modelConfig).toMatchObject({
      transducer: { joiner: path.join(folder, 'joiner-epoch-99.onnx') },
    });
  });

  test('is a Moonshine model by its merged decoder', async () => {
    const configs: { modelConfig?: object }[] = [];
    await put('tokens.txt', 'encoder_model.ort', 'decoder_model_merged.ort');

    const { longestSeconds } = await openSherpa(folder, sherpa(configs));

    expect(longestSeconds).toBe(8);
    expect(configs[0]!.modelConfig).toMatchObject({
      moonshine: { mergedDecoder: path.join(folder, 'decoder_model_merged.ort') },
    });
  });

  test('names the package to install and the missing files', async () => {
    await expect(openSherpa(folder, sherpa([]))).rejects.toThrow('contains no sherpa-onnx model');
    await put('tokens.txt', 'encoder.onnx', 'decoder.onnx');

    await expect(openSherpa(folder, notInstalled)).rejects.toThrow('npm install sherpa-onnx-node');
  });

  test('transcribes', async () => {
    await put('tokens.txt', 'encoder.onnx', 'decoder.onnx');
    const model = await openSherpa(folder, sherpa([]));

    expect(await model.transcribe(new Float32Array(16_000), 16_000)).toBe('1 seconds');
  });

  test('that is missing ends its program with what is missing', async () => {
    const program = fileURLToPath(
      new URL('../../../../workers/agent/stt/sherpa-program.ts', import.meta.url),
    );
    const ended = new Promise<{ error: Error | null; stderr: string }>((resolve) =>
      execFile(process.execPath, [program, folder], (error, _stdout, stderr) =>
        resolve({ error, stderr }),
      ),
    );

    const { error, stderr } = await ended;

    expect(error).toMatchObject({ code: 1 });
    expect(stderr).toContain('contains no sherpa-onnx model');
  });
});
