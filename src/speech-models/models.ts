/*
 * Speech models that can be fetched: data, with licence and source. Size and checksum of each file
 * agree in at least two catalogues that are independent of each other.
 */

export type SpeechModel = {
  id: string;
  /** ISO 639-1 codes. */
  languages: readonly string[];
  /** Whether it follows speech while it goes on, for captions. */
  isStreaming: boolean;
  /** A tar archive, packed by bzip2. */
  archive: string;
  /** Without the name of the archive. A mirror replaces it. */
  address: string;
  bytes: number;
  sha256: string;
  /** Files of the archive that are kept. */
  keeps: readonly string[];
  licence: string;
  source: string;
};

const ADDRESS = 'https://github.com/k2-fsa/sherpa-onnx/releases/download/asr-models';

/** Those that agents may have and Whisper understands. English comes with `npm start`. */
const WHISPER =
  'ar bg bn cs da de el es fi fr hi hu id it ja kk ko ms nl no pl pt ro ru sk sv tr uk ur vi zh'.split(
    ' ',
  );

const streaming = (
  id: string,
  language: string,
  facts: Omit<SpeechModel, 'id' | 'languages' | 'isStreaming' | 'address'>,
): SpeechModel => ({ id, languages: [language], isStreaming: true, address: ADDRESS, ...facts });

const kroko = (language: string, bytes: number, sha256: string): SpeechModel =>
  streaming(`kroko-${language}`, language, {
    archive: `sherpa-onnx-streaming-zipformer-${language}-kroko-2025-08-06.tar.bz2`,
    bytes,
    sha256,
    keeps: ['encoder.onnx', 'decoder.onnx', 'joiner.onnx', 'tokens.txt'],
    licence: 'CC-BY-SA',
    source: 'https://huggingface.co/Banafo/Kroko-ASR, exported by sherpa-onnx',
  });

/** The first of several models for a language is the better one. */
export const SPEECH_MODELS: readonly SpeechModel[] = [
  kroko('de', 57_565_698, '9e27b783c20e67b0d0f13a258c1861fce199917c969d9176a438bee38df64962'),
  kroko('es', 124_394_665, '31b2230a95d23290b308b393da930015a4b2105cb3abb9367aed35f7fcf29cf1'),
  kroko('fr', 57_220_361, 'e6ffd3dc43725cd6c8137b05c739f15607d0df946b9b90eb141e10059efca024'),
  streaming('zipformer-ko', 'ko', {
    archive: 'sherpa-onnx-streaming-zipformer-korean-2024-06-16.tar.bz2',
    bytes: 418_218_652,
    sha256: 'e346a5882a409650472be17326237e24df7bf409db6b4a8a52e1a61422bf2500',
    keeps: [
      'encoder-epoch-99-avg-1.int8.onnx',
      'decoder-epoch-99-avg-1.int8.onnx',
      'joiner-epoch-99-avg-1.int8.onnx',
      'tokens.txt',
    ],
    licence: 'Apache-2.0',
    source:
      'https://huggingface.co/johnBamma/icefall-asr-ksponspeech-pruned-transducer-stateless7-streaming-2024-06-12, exported by sherpa-onnx',
  }),
  streaming('vosk-ru', 'ru', {
    archive: 'sherpa-onnx-streaming-zipformer-small-ru-vosk-int8-2025-08-16.tar.bz2',
    bytes: 24_110_855,
    sha256: '6ba68a01ff3c5445aaf2d61e9b97b026f1149dcc9049d11af3f44f55176341d8',
    keeps: ['encoder.int8.onnx', 'decoder.onnx', 'joiner.int8.onnx', 'tokens.txt'],
    licence: 'Apache-2.0',
    source:
      'https://huggingface.co/alphacep/vosk-model-small-streaming-ru, exported by sherpa-onnx',
  }),
  streaming('zipformer-zh', 'zh', {
    archive: 'sherpa-onnx-streaming-zipformer-zh-14M-2023-02-23.tar.bz2',
    bytes: 74_004_050,
    sha256: '2cbd71b640d9c37d3784f29367333a4577b0398b62e9deeed418170b081cba8b',
    keeps: [
      'encoder-epoch-99-avg-1.int8.onnx',
      'decoder-epoch-99-avg-1.int8.onnx',
      'joiner-epoch-99-avg-1.int8.onnx',
      'tokens.txt',
    ],
    licence: 'Apache-2.0',
    source:
      'https://huggingface.co/marcoyang/sherpa-ncnn-streaming-zipformer-zh-14M-2023-02-23, exported by sherpa-onnx',
  }),
  {
    id: 'whisper-base',
    languages: WHISPER,
    isStreaming: false,
    archive: 'sherpa-onnx-whisper-base.tar.bz2',
    address: ADDRESS,
    bytes: 207_557_382,
    sha256: '911b2083efd7c0dca2ac3b358b75222660dc09fb716d64fbfc417ba6c99ff3de',
    keeps: ['base-encoder.int8.onnx', 'base-decoder.int8.onnx', 'base-tokens.txt'],
    licence: 'MIT',
    source: 'https://github.com/openai/whisper, exported by sherpa-onnx',
  },
];

/** `choice`: a language, the id of a model, or `all`. */
export const speechModelsFor = (choice: string): readonly SpeechModel[] => {
  if (choice === 'all') return SPEECH_MODELS;
  const model =
    SPEECH_MODELS.find(({ id }) => id === choice) ??
    SPEECH_MODELS.find(({ languages }) => languages.includes(choice));
  return model ? [model] : [];
};
