import { fileURLToPath } from 'node:url';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Transcript } from '../listening/transcript.ts';
import type { Sound } from '../voices/voice.ts';
import type { LocalSpeechModel, SpeechModelVerdict } from './local-speech-model.ts';
import { RecognizerProgram } from './recognizer-program.ts';
import { judgeSpeed } from './time-factor.ts';

const PROGRAM = fileURLToPath(new URL('sherpa_hearing.py', import.meta.url));
/** A piece of speech takes some seconds on the slowest machine that is used. */
const ANSWER_MS = 30_000;
/** Loading takes some seconds, so the program stays between the calls of a busy hour. */
const UNUSED_MS = 10 * 60_000;

export type LanguageModelOptions = {
  folder: string;
  languages: readonly string[];
  isStreaming: boolean;
  python: string;
  /** Speech by which the model's speed is measured, in any language. */
  sampleSpeech: () => Promise<Sound>;
  clock: Clock;
  log: Log;
};

/** An installed model of sherpa-onnx. Owns its program, which runs while it is used. */
export class LanguageModel implements LocalSpeechModel {
  readonly endOfTurn = null;
  readonly #options: LanguageModelOptions;
  readonly #decided = Promise.withResolvers<SpeechModelVerdict>();
  readonly #closed = new AbortController();
  #state: LocalSpeechModel['state'] = 'pending';
  #program: RecognizerProgram | null = null;
  #cancelStop = () => {};

  constructor(options: LanguageModelOptions) {
    this.#options = options;
  }

  get languages(): readonly string[] {
    return this.#options.languages;
  }

  get interims(): LocalSpeechModel['interims'] {
    return this.#options.isStreaming ? 'streaming' : null;
  }

  get state(): LocalSpeechModel['state'] {
    return this.#state;
  }

  get whenDecided(): Promise<SpeechModelVerdict> {
    return this.#decided.promise;
  }

  get pid(): number | undefined {
    return this.#program?.pid;
  }

  /** Starts the program, which is then ready for the first words. */
  prepare(): void {
    if (this.#closed.signal.aborted) return;
    this.#cancelStop();
    this.#cancelStop = this.#options.clock.after(UNUSED_MS, () => this.#stop());
    this.#program ??= this.#start();
  }

  async recognize(...utterance: Parameters<RecognizerProgram['recognize']>): Promise<Transcript> {
    this.#closed.signal.throwIfAborted();
    this.prepare();
    return this.#program!.recognize(...utterance);
  }

  /** Measures whether this machine is fast enough. Throws if the model does not work. */
  async decide(): Promise<void> {
    const { sampleSpeech, languages, clock, log } = this.#options;
    const { signal } = this.#closed;
    try {
      const speech = await sampleSpeech();
      const measurement = { speech, isOwnLanguage: false, clock, log, signal };
      const { verdict } = await judgeSpeed(this, measurement);
      this.#state = verdict;
      if (verdict === 'too_slow')
        log.error({ languages }, 'this machine is too small for a speech model');
      else log.info({ languages }, 'agents without `stt` understand these languages');
      this.#decided.resolve(verdict);
    } finally {
      // Models that no call uses take no memory.
      this.#stop();
    }
  }

  close(): void {
    this.#closed.abort(new Error('the speech model is closed'));
    this.#stop();
  }

  #start(): RecognizerProgram {
    const { folder, python, clock, log } = this.#options;
    return new RecognizerProgram({
      name: 'speech model',
      command: python,
      args: ['-u', PROGRAM, folder],
      answerMs: ANSWER_MS,
      onReady: () => {},
      clock,
      log,
    });
  }

  #stop(): void {
    this.#cancelStop();
    this.#program?.close();
    this.#program = null;
  }
}
