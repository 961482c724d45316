import { fileURLToPath } from 'node:url';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Transcript } from '../listening/transcript.ts';
import type { LocalSpeechModel, SpeechModelVerdict } from './local-speech-model.ts';
import { RecognizerProgram } from './recognizer-program.ts';

/** Large models need longer than a second for a second of speech. */
const ANSWER_MS = 90_000;
const PROGRAM = fileURLToPath(new URL('sherpa-program.ts', import.meta.url));

/** The sherpa-onnx model of SHERPA_MODEL_DIR, in a process of its own. */
export class SherpaModel implements LocalSpeechModel {
  readonly languages = null;
  readonly interims = null;
  readonly endOfTurn = null;
  readonly #program: RecognizerProgram;
  readonly #decided = Promise.withResolvers<SpeechModelVerdict>();
  #state: LocalSpeechModel['state'] = 'pending';

  constructor(folder: string, clock: Clock, log: Log) {
    this.#program = new RecognizerProgram({
      name: 'speech recognition of SHERPA_MODEL_DIR',
      command: process.execPath,
      args: [PROGRAM, folder],
      answerMs: ANSWER_MS,
      onReady: () => {
        this.#state = 'ready';
        this.#decided.resolve('ready');
      },
      clock,
      log,
    });
  }

  get state(): LocalSpeechModel['state'] {
    return this.#state;
  }

  get whenDecided(): Promise<SpeechModelVerdict> {
    return this.#decided.promise;
  }

  recognize(...utterance: Parameters<RecognizerProgram['recognize']>): Promise<Transcript> {
    return this.#program.recognize(...utterance);
  }

  close(): void {
    this.#program.close();
  }
}
