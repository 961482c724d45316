import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** Transcribes one utterance. */
export type Recognizer = { recognize(samples: Float32Array, sampleRate: number): string };

/** The part of `sherpa-onnx-node` in use. The package is optional and has no types. */
type SherpaStream = { acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void };
type SherpaModule = {
  OfflineRecognizer: new (config: object) => {
    createStream(): SherpaStream;
    decode(stream: SherpaStream): void;
    getResult(stream: SherpaStream): { text: string };
  };
};

type LoadSherpa = () => Promise<unknown>;

const PACKAGE = 'sherpa-onnx-node';
const loadInstalled: LoadSherpa = () => import(PACKAGE);

/** Throws with instructions if the package or the model's files are missing. */
export async function openRecognizer(
  folder: string,
  load: LoadSherpa = loadInstalled,
): Promise<Recognizer> {
  const modelConfig = await modelIn(folder);
  const { OfflineRecognizer } = await loaded(load);
  const recognizer = new OfflineRecognizer({
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: { ...modelConfig, numThreads: 1, provider: 'cpu', debug: 0 },
  });
  return {
    recognize(samples, sampleRate) {
      const stream = recognizer.createStream();
      stream.acceptWaveform({ samples, sampleRate });
      recognizer.decode(stream);
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
async function modelIn(folder: string): Promise<object> {
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
  if (mergedDecoder) return { tokens, moonshine: { encoder, mergedDecoder } };
  return joiner
    ? { tokens, transducer: { encoder, decoder, joiner } }
    : { tokens, whisper: { encoder, decoder } };
}
