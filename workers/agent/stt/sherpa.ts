import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** The part of `sherpa-onnx-node` in use. The package is optional and has no types. */
type SherpaStream = { acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void };
type SherpaModule = {
  OfflineRecognizer: new (config: object) => {
    createStream(): SherpaStream;
    decodeAsync(stream: SherpaStream): Promise<unknown>;
    getResult(stream: SherpaStream): { text: string };
  };
};

type LoadSherpa = () => Promise<unknown>;

const PACKAGE = 'sherpa-onnx-node';
const loadInstalled: LoadSherpa = () => import(PACKAGE);

type ModelFiles = { config: object; longestSeconds: number };

export type SherpaModel = {
  /** Longer speech must be cut. */
  longestSeconds: number;
  transcribe(samples: Float32Array, sampleRate: number): Promise<string>;
};

/** Moonshine returns nothing for more than 9.2 s, and Whisper ignores what follows 30 s. */
const LONGEST_SECONDS = { moonshine: 8, whisper: 29, transducer: 29 };

/** Throws with instructions if the package or the model's files are missing. */
export async function openSherpa(
  folder: string,
  load: LoadSherpa = loadInstalled,
): Promise<SherpaModel> {
  const { config, longestSeconds } = await modelIn(folder);
  const { OfflineRecognizer } = await loaded(load);
  const recognizer = new OfflineRecognizer({
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: { ...config, numThreads: 1, provider: 'cpu', debug: 0 },
  });
  return {
    longestSeconds,
    async transcribe(samples, sampleRate) {
      const stream = recognizer.createStream();
      stream.acceptWaveform({ samples, sampleRate });
      await recognizer.decodeAsync(stream);
      return recognizer.getResult(stream).text.trim();
    },
  };
}

async function loaded(load: LoadSherpa): Promise<SherpaModule> {
  try {
    const module = (await load()) as SherpaModule & { default?: SherpaModule };
    return module.default ?? module;
  } catch (cause) {
    throw new Error(`SHERPA_MODEL_DIR needs the package ${PACKAGE}: npm install ${PACKAGE}`, {
      cause,
    });
  }
}

/**
 * Detects a transducer (encoder, decoder, joiner), a Whisper (encoder, decoder) or a Moonshine
 * (encoder, merged decoder).
 */
async function modelIn(folder: string): Promise<ModelFiles> {
  const files = (await readdir(folder)).toSorted();
  const find = (part: string, ...endings: string[]): string | undefined => {
    const name = files.find(
      (file) => file.includes(part) && endings.some((ending) => file.endsWith(ending)),
    );
    return name && path.join(folder, name);
  };
  const tokens = find('tokens', '.txt');
  const encoder = find('encoder', '.onnx', '.ort');
  const decoder = find('decoder', '.onnx', '.ort');
  const mergedDecoder = find('decoder_model_merged', '.onnx', '.ort');
  const joiner = find('joiner', '.onnx');
  if (!tokens || !encoder || !decoder)
    throw new Error(
      `${folder} contains no sherpa-onnx model: it needs encoder and decoder (.onnx or .ort), tokens (.txt), and a joiner for a transducer`,
    );
  const as = (kind: keyof typeof LONGEST_SECONDS, parts: object): ModelFiles => ({
    config: { tokens, [kind]: parts },
    longestSeconds: LONGEST_SECONDS[kind],
  });
  if (mergedDecoder) return as('moonshine', { encoder, mergedDecoder });
  return joiner
    ? as('transducer', { encoder, decoder, joiner })
    : as('whisper', { encoder, decoder });
}
