import { readdir } from 'node:fs/promises';
import path from 'node:path';

/** Turns one utterance into text. */
export type Recognizer = { recognize(samples: Float32Array, sampleRate: number): string };

/** What we use of `sherpa-onnx-node`, which is installed by who wants it and brings no types. */
type SherpaStream = { acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void };
type SherpaModule = {
  OfflineRecognizer: new (config: object) => {
    createStream(): SherpaStream;
    decode(stream: SherpaStream): void;
    getResult(stream: SherpaStream): { text: string };
  };
};

export type LoadSherpa = () => Promise<unknown>;

const PACKAGE = 'sherpa-onnx-node';
const loadInstalled: LoadSherpa = () => import(PACKAGE);

/** Throws with what to do when the package or the model's files are not there. */
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

/** A transducer (encoder, decoder, joiner) or a Whisper (encoder, decoder) as sherpa-onnx's own releases pack them. */
async function modelIn(folder: string): Promise<object> {
  const files = (await readdir(folder)).toSorted();
  const find = (part: string, ending: string): string | undefined => {
    const name = files.find((file) => file.includes(part) && file.endsWith(ending));
    return name && path.join(folder, name);
  };
  const tokens = find('tokens', '.txt');
  const encoder = find('encoder', '.onnx');
  const decoder = find('decoder', '.onnx');
  const joiner = find('joiner', '.onnx');
  if (!tokens || !encoder || !decoder)
    throw new Error(
      `${folder} holds no model of sherpa-onnx: encoder and decoder (.onnx) and tokens (.txt) are wanted, and a joiner if it is a transducer`,
    );
  return joiner
    ? { tokens, transducer: { encoder, decoder, joiner } }
    : { tokens, whisper: { encoder, decoder } };
}
