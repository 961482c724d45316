import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Transcript } from '../listening/transcript.ts';
import { venvPython } from '#shared/process/venv-python.ts';
import type { Sound } from '../voices/voice.ts';
import type { LocalSpeechModel, SpeechModelVerdict } from './local-speech-model.ts';
import { RecognizerProgram } from './recognizer-program.ts';
import { judgeSpeed } from './time-factor.ts';

const PROGRAM = fileURLToPath(new URL('hearing.py', import.meta.url));
const LOOK_EVERY_MS = 3_000;
/** A piece of speech takes five seconds on the slowest machine that is used. */
const ANSWER_MS = 15_000;
/** Above, the transcription of speech that goes on would delay that of its end. */
const MAX_INTERIM_FACTOR = 0.1;

export type InstalledHearingOptions = {
  /** DATA_DIR/hearing: the model, once `npm start` has installed it (src/start/hearing.ts). */
  modelFolder: string;
  /** DATA_DIR/voice: the Python environment that also speaks. */
  pythonFolder: string;
  /** Speech by which the model's speed is measured. */
  sampleSpeech: () => Promise<Sound>;
  clock: Clock;
  log: Log;
};

/**
 * English speech recognition that is installed while this process runs. Watches the folder, starts
 * the program, and measures whether this machine is fast enough for it.
 */
export class InstalledHearing implements LocalSpeechModel {
  readonly languages = ['en'];
  readonly #options: InstalledHearingOptions;
  readonly #decided = Promise.withResolvers<SpeechModelVerdict>();
  readonly #closed = new AbortController();
  #stopLooking: () => void;
  #program: RecognizerProgram | null = null;
  #state: LocalSpeechModel['state'] = 'pending';
  #interims: LocalSpeechModel['interims'] = null;
  #isMeasured = false;

  constructor(options: InstalledHearingOptions) {
    this.#options = options;
    this.#stopLooking = options.clock.every(LOOK_EVERY_MS, () => this.#look());
    this.#look();
  }

  get state(): LocalSpeechModel['state'] {
    return this.#state;
  }

  get interims(): LocalSpeechModel['interims'] {
    return this.#interims;
  }

  get whenDecided(): Promise<SpeechModelVerdict> {
    return this.#decided.promise;
  }

  get pid(): number | undefined {
    return this.#program?.pid;
  }

  async recognize(...utterance: Parameters<RecognizerProgram['recognize']>): Promise<Transcript> {
    if (!this.#program) throw new Error('speech recognition is not installed');
    return this.#program.recognize(...utterance);
  }

  readonly endOfTurn = async (samples: Int16Array<ArrayBuffer>): Promise<number> => {
    if (!this.#program) throw new Error('speech recognition is not installed');
    return this.#program.endOfTurn(samples);
  };

  close(): void {
    this.#closed.abort(new Error('closed'));
    this.#stopLooking();
    this.#program?.close();
  }

  #look(): void {
    const { modelFolder, pythonFolder, clock, log } = this.#options;
    if (![modelFolder, pythonFolder].every((folder) => existsSync(path.join(folder, 'ready'))))
      return;
    this.#stopLooking();
    const program = new RecognizerProgram({
      name: 'speech recognition',
      command: venvPython(pythonFolder),
      args: ['-u', PROGRAM, modelFolder],
      answerMs: ANSWER_MS,
      onReady: () => {
        // A restarted program has the same speed.
        if (this.#isMeasured) return;
        this.#isMeasured = true;
        this.#measure(program).catch((error: unknown) => {
          if (this.#closed.signal.aborted) return;
          this.#isMeasured = false;
          log.error({ err: error }, 'speech recognition could not be measured');
        });
      },
      clock,
      log,
    });
    this.#program = program;
  }

  async #measure(program: RecognizerProgram): Promise<void> {
    const { sampleSpeech, clock, log } = this.#options;
    const speech = await sampleSpeech();
    const { signal } = this.#closed;
    const measurement = { speech, isOwnLanguage: true, clock, log, signal };
    const { verdict, timeFactor } = await judgeSpeed(program, measurement);
    this.#interims = timeFactor <= MAX_INTERIM_FACTOR ? 'repeated' : null;
    if (verdict === 'ready') log.info('agents without `stt` understand English speech');
    else {
      log.error('this machine is too small for speech recognition: agents read typed text only');
      program.close();
    }
    this.#decide(verdict);
  }

  #decide(verdict: SpeechModelVerdict): void {
    this.#state = verdict;
    this.#decided.resolve(verdict);
  }
}
