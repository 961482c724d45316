import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { RecognizerProgram } from '../../../../workers/agent/stt/recognizer-program.ts';
import { settle, TestClock } from '../../../support/test-clock.ts';

/**
 * The part of sherpa-onnx in use, without a model. A streaming model writes a letter for each piece
 * of sound, and a full stop at its end; Whisper writes its language and the length of the sound.
 */
const SHERPA = `
from types import SimpleNamespace as Facts

class OnlineStream:
    def __init__(self):
        self.pieces, self.decoded, self.is_finished = [], 0, False
    def accept_waveform(self, rate, samples):
        if len(samples) == 666:
            raise ValueError("no")
        self.pieces.append((rate, len(samples)))
    def input_finished(self):
        self.is_finished = True

class OnlineRecognizer:
    @classmethod
    def from_transducer(cls, tokens, encoder, decoder, joiner, num_threads):
        self = cls()
        self.count = 0
        return self
    def create_stream(self):
        self.count += 1
        return OnlineStream()
    def is_ready(self, stream):
        return stream.decoded < len(stream.pieces)
    def decode_stream(self, stream):
        stream.decoded += 1
    def get_result(self, stream):
        pieces = " ".join(str(length) for _, length in stream.pieces[:stream.decoded])
        return f" {self.count}: {pieces}{'.' if stream.is_finished else ''}"

class OfflineRecognizer:
    @classmethod
    def from_whisper(cls, encoder, decoder, tokens, language, tail_paddings, num_threads):
        self = cls()
        self.config = Facts(model_config=Facts(whisper=Facts(language=language)))
        self.recognizer = self
        self.language = language
        return self
    def set_config(self, config):
        self.language = config.model_config.whisper.language
    def create_stream(self):
        return OfflineStream()
    def decode_stream(self, stream):
        stream.result = Facts(text=f" {self.language} {stream.length} ")

class OfflineStream:
    def accept_waveform(self, rate, samples):
        self.length = len(samples)
`;

const log = createLog({ name: 'test', level: 'silent' });
const RATE = 16_000;
const TAIL = RATE * 0.8;

let folder: string;
let clock: TestClock;
let program: RecognizerProgram;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-sherpa-'));
  clock = new TestClock();
  await mkdir(path.join(folder, 'sherpa_onnx'));
  await writeFile(path.join(folder, 'sherpa_onnx/__init__.py'), SHERPA);
});
afterEach(async () => {
  program.close();
  await settle();
  await rm(folder, { recursive: true, force: true });
});

async function open(...files: string[]): Promise<void> {
  for (const file of files) await writeFile(path.join(folder, file), '');
  const ready = Promise.withResolvers<void>();
  program = new RecognizerProgram({
    name: 'speech model',
    command: 'python3',
    args: [
      '-c',
      'import runpy, sys; sys.path.insert(0, sys.argv[1]); runpy.run_path("workers/agent/stt/sherpa_hearing.py", run_name="__main__")',
      folder,
    ],
    answerMs: 30_000,
    onReady: ready.resolve,
    clock,
    log,
  });
  await ready.promise;
}

/** Each length begins with the same sound. */
const sound = (samples: number, level = 0.1) =>
  Float32Array.from({ length: samples }, (_, i) => level * Math.sin(i));

const textOf = async (...utterance: Parameters<RecognizerProgram['recognize']>) =>
  (await program.recognize(...utterance)).text;

const STREAMING = ['encoder.int8.onnx', 'decoder.onnx', 'joiner.int8.onnx', 'tokens.txt'];

describe('the program that runs the models of sherpa-onnx', () => {
  test('continues speech that goes on, and ends it with some silence', async () => {
    await open(...STREAMING);

    const texts = [
      await textOf(sound(100), RATE, { goesOn: true }),
      await textOf(sound(300), RATE, { goesOn: true }),
      await textOf(sound(350), RATE),
      await textOf(sound(350), RATE),
    ];

    expect(texts).toEqual(['2: 100', '2: 100 200', `2: 100 200 50 ${TAIL}.`, `3: 350 ${TAIL}.`]);
  });

  test('keeps the speech of several people apart', async () => {
    await open(...STREAMING);

    await textOf(sound(100), RATE, { goesOn: true });
    await textOf(sound(100, 0.2), RATE, { goesOn: true });

    expect(await textOf(sound(150), RATE, { goesOn: true })).toBe('3: 100 50');
    expect(await textOf(sound(160, 0.2), RATE, { goesOn: true })).toBe('3: 100 60');
  });

  test('forgets the oldest speech when many people speak', async () => {
    await open(...STREAMING);

    for (let i = 1; i <= 17; i++) await textOf(sound(100, i / 100), RATE, { goesOn: true });

    expect(await textOf(sound(150, 0.17), RATE, { goesOn: true })).toBe('18: 100 50');
    expect(await textOf(sound(150, 0.01), RATE, { goesOn: true })).toBe('19: 150');
  });

  test('reports what fails, and goes on', async () => {
    await open(...STREAMING);

    await expect(textOf(sound(666), RATE)).rejects.toThrow('no');
    expect(await textOf(sound(10), RATE)).toContain('10');
  });

  test('tells Whisper the language of the call', async () => {
    await open('base-encoder.int8.onnx', 'base-decoder.int8.onnx', 'base-tokens.txt');

    expect(await textOf(sound(100), RATE, { language: 'de' })).toBe('de 100');
    expect(await textOf(sound(200), RATE, { language: 'it' })).toBe('it 200');
  });
});
