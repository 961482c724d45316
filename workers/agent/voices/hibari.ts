import { fileURLToPath } from 'node:url';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { LineProgram } from '../processes/line-program.ts';
import type { BuiltInVoice } from '#protocol/voice/built-in-voices.ts';
import type { Sound, Voice } from './voice.ts';

const PROGRAM = fileURLToPath(new URL('natural_voice.py', import.meta.url));
/** Longer than any sentence takes, even on a busy machine. */
const ANSWER_MS = 10_000;
/** Loading takes two seconds on an idle machine. */
const LOAD_MS = 120_000;

type Answer = { rate: number; pcm: string };

/** The natural English voices: a Python program (natural_voice.py). Owns the process. */
export class HibariVoice {
  readonly #program: LineProgram<Answer>;

  /** `python`: an interpreter with the `hibari` package. */
  constructor(python: string, clock: Clock, log: Log) {
    this.#program = new LineProgram({
      name: 'natural voice',
      command: python,
      args: ['-u', '-B', PROGRAM],
      answerMs: ANSWER_MS,
      loadMs: LOAD_MS,
      clock,
      log,
    });
  }

  get isReady(): boolean {
    return this.#program.isReady;
  }

  as({ speaker }: BuiltInVoice): Voice {
    return {
      name: 'hibari',
      speak: (sentence, signal) => this.#speak({ text: sentence, speaker }, signal),
    };
  }

  async *#speak(request: object, signal: AbortSignal): AsyncIterable<Sound> {
    const { rate, pcm } = await this.#program.request(request, signal);
    yield { samples: samplesOf(pcm), sampleRate: rate };
  }

  close(): void {
    this.#program.close();
  }
}

/** Copies, because a pooled buffer may start at an odd offset. */
const samplesOf = (base64: string): Int16Array<ArrayBuffer> =>
  new Int16Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer);
