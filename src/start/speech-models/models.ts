/* Speech models that can be fetched: data, with licence and source. */

export type SpeechModel = {
  id: string;
  /** ISO 639-1 codes. */
  languages: readonly string[];
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

/** Those that agents may have and Whisper understands. English comes with `npm start`. */
const WHISPER =
  'ar bg bn cs da de el es fi fr hi hu id it ja kk ko ms nl no pl pt ro ru sk sv tr uk ur vi zh'.split(
    ' ',
  );

export const SPEECH_MODELS: readonly SpeechModel[] = [
  {
    id: 'whisper-base',
    languages: WHISPER,
    archive: 'sherpa-onnx-whisper-base.tar.bz2',
    address: 'https://github.com/k2-fsa/sherpa-onnx/releases/download/asr-models',
    bytes: 207_557_382,
    sha256: '911b2083efd7c0dca2ac3b358b75222660dc09fb716d64fbfc417ba6c99ff3de',
    keeps: ['base-encoder.int8.onnx', 'base-decoder.int8.onnx', 'base-tokens.txt'],
    licence: 'MIT',
    source: 'https://github.com/openai/whisper, exported by sherpa-onnx',
  },
];
